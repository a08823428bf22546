/** Dense linear algebra on off-heap memory, by OpenBLAS or EJML. */
package org.pecf.backend.algebra;
