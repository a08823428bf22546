/** Weighted matrix factorisation. */
package org.pecf.plugin.wmf;
