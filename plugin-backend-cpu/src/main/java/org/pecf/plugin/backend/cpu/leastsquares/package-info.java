/** Weighted least squares on the dense and on the corrected path. */
package org.pecf.plugin.backend.cpu.leastsquares;
