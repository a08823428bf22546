/** Additive co-clustering: ACCAMS and its Bayesian version. */
package org.pecf.plugin.related.accams;
