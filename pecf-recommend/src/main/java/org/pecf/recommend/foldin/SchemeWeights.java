package org.pecf.recommend.foldin;

import java.util.List;
import org.pecf.api.memory.Side;

/** The weights of members that only the plugin of their weighting scheme knows. */
public interface SchemeWeights {
  /**
   * Return the weights of a new row.
   *
   * @param member which member, counted from 0
   * @param side the side of the row
   * @param positives the cells rated 1, ascending. Not modified.
   * @param scores the row's scores under the members before. Not modified.
   */
  RowWeights of(int member, Side side, int[] positives, List<float[]> scores);
}
