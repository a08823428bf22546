/** Small systems of equations, solved in double precision. */
package org.pecf.engine.algebra;
