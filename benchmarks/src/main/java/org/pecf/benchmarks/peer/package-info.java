/** A comparison of a plain sweep of PECF with those of other libraries on the same file. */
package org.pecf.benchmarks.peer;
