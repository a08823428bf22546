package org.pecf.plugin.wmf;

import org.pecf.api.field.HostField;
import org.pecf.api.memory.FloatMatrix;

/**
 * A part of the grid with soft edges: cell (i, j) belongs to it by {@code users_i items_j}.
 *
 * @param users how much each user belongs to it, 0 or more
 * @param items how much each item does
 */
record Locality(float[] users, float[] items) implements HostField {
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

  @Override
  public float valueAt(int user, int item) {
    return users[user] * items[item];
  }

  @Override
  public void fill(int firstUser, int firstItem, FloatMatrix tile) {
    float[] row = new float[tile.columns()];
    for (int user = 0; user < tile.rows(); user++) {
      float factor = users[firstUser + user];
      for (int item = 0; item < row.length; item++) {
        row[item] = factor * items[firstItem + item];
      }
      tile.writeRows(user, 1, row);
    }
  }
}
