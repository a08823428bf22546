/** Synthetic data with planted taste groups, or with none. */
package org.pecf.plugin.loaders.synthetic;
