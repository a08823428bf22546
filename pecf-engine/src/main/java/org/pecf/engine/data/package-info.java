/**
 * From ratings to a dataset: recognising formats, mapping ids, choosing positives; and writing
 * ratings to files.
 */
package org.pecf.engine.data;
