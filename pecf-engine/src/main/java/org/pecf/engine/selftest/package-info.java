/** Compare a compute backend with another, and measure it. */
package org.pecf.engine.selftest;
