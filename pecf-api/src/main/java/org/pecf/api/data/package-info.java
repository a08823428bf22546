/** Ratings, the parts they are divided into, and the SPI of their loaders. */
package org.pecf.api.data;
