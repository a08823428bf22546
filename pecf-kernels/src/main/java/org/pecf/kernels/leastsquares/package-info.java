/** The rows of weighted least squares, solved from a shared background and their exceptions. */
package org.pecf.kernels.leastsquares;
