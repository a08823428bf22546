/** Pairwise stochastic gradient steps on the device. */
package org.pecf.plugin.backend.cuda.pairwise;
