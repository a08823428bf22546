/** Errors, shared by every other package of the SPI. */
package org.pecf.api;
