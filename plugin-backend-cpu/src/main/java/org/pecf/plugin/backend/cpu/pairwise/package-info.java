/** Pairwise stochastic gradient steps. */
package org.pecf.plugin.backend.cpu.pairwise;
