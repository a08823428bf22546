package org.pecf.backend.field;

/**
 * The search for scores beyond a bound, which few of many are. Four scores at a time are compared
 * by the sum of their squares, which the JIT vectorises; only where that reaches the square of the
 * bound, they are looked at one by one.
 */
public final class ScoresBeyond {
  /** The scores that are compared together. */
  private static final int TOGETHER = 4;

  private final float bound;
  private final float[] squares;
  private final int[] suspects;

  /**
   * Prepare the search.
   *
   * @param bound the absolute value beyond which scores are found
   * @param most the most scores of a search
   */
  public ScoresBeyond(float bound, int most) {
    this.bound = bound;
    this.squares = new float[most / TOGETHER];
    this.suspects = new int[most / TOGETHER];
  }

  /**
   * List the places of scores beyond the bound; a score that is not a number is not beyond it.
   *
   * @param scores Not modified.
   * @param places receives the places, ascending; has room for all. Modified.
   * @return the number of places
   */
  public int list(float[] scores, int count, int[] places) {
    int quarter = count / TOGETHER;
    addSquares(scores, quarter);
    float least = bound * bound;
    int suspected = 0;
    for (int p = 0; p < quarter; p++) {
      // Rounding keeps the order of squares and sums, so that no score beyond the bound is missed;
      // what is not a number is a suspect, too. There are too many suspects for a branch to
      // foresee.
      suspects[suspected] = p;
      suspected += squares[p] < least ? 0 : 1;
    }
    int found = 0;
    for (int first = 0; first < TOGETHER * quarter && suspected > 0; first += quarter) {
      for (int k = 0; k < suspected; k++) {
        int place = first + suspects[k];
        places[found] = place;
        found += Math.abs(scores[place]) > bound ? 1 : 0;
      }
    }
    for (int place = TOGETHER * quarter; place < count; place++) {
      places[found] = place;
      found += Math.abs(scores[place]) > bound ? 1 : 0;
    }
    return found;
  }

  /** Add up the squares of the scores at the same places of all quarters. */
  private void addSquares(float[] scores, int quarter) {
    float[] to = squares;
    for (int p = 0; p < quarter; p++) {
      float first = scores[p] * scores[p];
      float second = scores[p + quarter] * scores[p + quarter];
      float third = scores[p + 2 * quarter] * scores[p + 2 * quarter];
      float fourth = scores[p + 3 * quarter] * scores[p + 3 * quarter];
      to[p] = first + second + (third + fourth);
    }
  }
}
