/** Measure the kernels of a backend against what the machine can do. */
package org.pecf.tools.bench;
