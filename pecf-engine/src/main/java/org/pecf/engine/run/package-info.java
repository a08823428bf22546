/** Runs: a training from its options to a result that is stored, reported and recommended from. */
package org.pecf.engine.run;
