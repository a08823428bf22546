/** Delimited text of any kind. */
package org.pecf.loaders.csv;
