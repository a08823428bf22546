/**
 * Uses of a stored model: recommending items to its users, and measuring it again.
 *
 * <p>A model may come from anyone. Opening one runs nothing and reads nothing but its folder; data
 * that it names is read again only by the rules of {@link
 * org.pecf.engine.recommend.ModelEvaluation}.
 */
package org.pecf.engine.recommend;
