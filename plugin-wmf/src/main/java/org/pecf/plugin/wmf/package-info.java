/** Matrix factorisations, of the whole grid and of parts of it. */
package org.pecf.plugin.wmf;
