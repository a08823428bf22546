/** Dividing a dataset into training, validation and test. */
package org.pecf.engine.data.split;
