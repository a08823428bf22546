/** The SPI of metrics. */
package org.pecf.api.evaluate;
