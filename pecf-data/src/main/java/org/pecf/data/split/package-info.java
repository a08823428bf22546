/** Dividing a dataset into training, validation and test. */
package org.pecf.data.split;
