/** Synthetic data with planted taste groups. */
package org.pecf.loaders.synthetic;
