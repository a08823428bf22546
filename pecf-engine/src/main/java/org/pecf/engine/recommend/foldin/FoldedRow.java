package org.pecf.engine.recommend.foldin;

import java.util.List;

/**
 * A new row of an ensemble.
 *
 * @param factors its factors under each member; none under a member that is a sparse product
 * @param memberScores its score at every cell under each member
 * @param scores its score at every cell: the sum of the members' by their weights
 */
public record FoldedRow(List<float[]> factors, List<float[]> memberScores, float[] scores) {}
