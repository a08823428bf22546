/** LibRec, trained and timed like PECF. */
package org.pecf.benchmarks.librec;
