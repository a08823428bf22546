/** The SPI of compute backends and the kernels they run. */
package org.pecf.api.compute;
