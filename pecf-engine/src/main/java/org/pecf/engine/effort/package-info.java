/** The choice of settings for a data set: by rule from its shape, then by a race on validation. */
package org.pecf.engine.effort;
