/** Bayesian personalised ranking. */
package org.pecf.plugin.bpr;
