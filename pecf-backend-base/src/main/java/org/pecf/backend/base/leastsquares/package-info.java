/** How weights split into background and exceptions, how rows are penalised, which path to take. */
package org.pecf.backend.base.leastsquares;
