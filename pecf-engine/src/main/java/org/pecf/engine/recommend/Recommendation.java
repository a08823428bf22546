package org.pecf.engine.recommend;

/**
 * An item recommended to a user.
 *
 * @param item the id of the item, as text
 * @param score the score that the model predicts; comparable between the items of one user only
 */
public record Recommendation(String item, float score) {}
