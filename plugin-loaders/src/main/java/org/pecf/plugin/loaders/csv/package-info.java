/** Delimited text of any kind. */
package org.pecf.plugin.loaders.csv;
