/** Benchmarks of kernels, of loading, and of how cost grows with the size of data. */
package org.pecf.tools.bench;
