/** Dense matrix kernels by cuBLAS. */
package org.pecf.plugin.backend.cuda.algebra;
