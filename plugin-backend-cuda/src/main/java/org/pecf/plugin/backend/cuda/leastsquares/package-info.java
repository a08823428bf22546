/** Weighted least squares on the dense and on the corrected path, on the device. */
package org.pecf.plugin.backend.cuda.leastsquares;
