/** The SPI of base filters. */
package org.pecf.api.filter;
