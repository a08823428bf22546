/** The SPI of weighting schemes and alpha strategies. */
package org.pecf.api.ensemble;
