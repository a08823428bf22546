/**
 * New rows of a trained ensemble: users or items that it was not trained on, fitted member by
 * member as in training, with the other side as it is.
 */
package org.pecf.engine.recommend.foldin;
