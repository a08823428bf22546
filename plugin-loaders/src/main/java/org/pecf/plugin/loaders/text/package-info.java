/** Text files of ratings, read in chunks of whole lines on all threads. */
package org.pecf.plugin.loaders.text;
