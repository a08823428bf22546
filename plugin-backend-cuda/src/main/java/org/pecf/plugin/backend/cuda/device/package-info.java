/** The device: its libraries, memory, kernels and streams. */
package org.pecf.plugin.backend.cuda.device;
