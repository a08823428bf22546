/** Spark's matrix factorisation, trained and timed like PECF. */
package org.pecf.benchmarks.spark;
