/** Factors by a softmax over all items, smoothed over the graph of positives. */
package org.pecf.plugin.graph;
