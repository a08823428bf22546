/**
 * The way from ratings to a dataset: recognising formats, mapping ids, choosing positives; and the
 * writing of ratings to files.
 */
package org.pecf.engine.data;
