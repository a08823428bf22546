/** The SPI of rating loaders. */
package org.pecf.api.data;
