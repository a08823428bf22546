/** Time single kernels by JMH, for work on one of them on an idle machine. */
package org.pecf.benchmarks.micro;
