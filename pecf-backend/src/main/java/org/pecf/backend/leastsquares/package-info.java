/** Least squares: background and exceptions, penalties, the choice of a path. */
package org.pecf.backend.leastsquares;
