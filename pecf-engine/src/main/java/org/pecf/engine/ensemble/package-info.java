/** Ensembles: trained filters with weights, and how the weights came about. */
package org.pecf.engine.ensemble;
