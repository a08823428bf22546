package org.pecf.plugin.wmf;

import org.pecf.api.field.CellField;
import org.pecf.api.field.Separable;

/**
 * A part of the grid with soft edges: cell (i, j) belongs to it by {@code users_i items_j}.
 *
 * @param users how much each user belongs to it, 0 or more
 * @param items how much each item does
 */
record Locality(float[] users, float[] items) {
  /** Return how much cells belong to it. */
  CellField field() {
    return new Separable(users, items);
  }

  /** Return the mean over all cells. */
  double share() {
    return mean(users) * mean(items);
  }

  private static double mean(float[] values) {
    double sum = 0;
    for (float value : values) {
      sum += value;
    }
    return sum / values.length;
  }
}
