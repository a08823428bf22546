/** The service under load. */
package org.pecf.benchmarks.serve;
