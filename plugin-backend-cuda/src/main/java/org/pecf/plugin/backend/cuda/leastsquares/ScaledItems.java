package org.pecf.plugin.backend.cuda.leastsquares;

import java.util.Arrays;
import org.pecf.api.field.CellField;
import org.pecf.api.field.HostField;
import org.pecf.api.field.ItemWeights;
import org.pecf.api.field.ValueRange;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.backend.leastsquares.Penalties;

/**
 * The change of variables {@code v'_j = sqrt(q_j) v_j} by which a problem whose zeros weigh {@code
 * q_j b} becomes one whose zeros all weigh b: weights are divided by {@code q_j}, targets
 * multiplied by its root, and the penalties of items divided by it.
 *
 * @param factors q
 */
record ScaledItems(ItemWeights factors) {
  /** Return the weights of the problem without factors. */
  CellField weights(CellField weights) {
    return CellField.product(weights, new Power(factors, -1));
  }

  /** Return the targets of the problem without factors. */
  CellField targets(CellField targets) {
    return CellField.product(targets, new Power(factors, 0.5));
  }

  /** Return the penalties of the problem without factors. */
  Penalties penalties(Penalties penalties) {
    double[] items = penalties.items().clone();
    Arrays.setAll(items, item -> items[item] / factors.of(item));
    return new Penalties(penalties.users(), items, penalties.unitUser(), penalties.unitItem());
  }

  /**
   * Multiply the rows of items by a power of their factors.
   *
   * @param source the rows. Not modified, unless it is the target.
   * @param target receives the products. Modified.
   */
  void scale(FloatMatrix source, double exponent, FloatMatrix target) {
    float[] row = new float[source.columns()];
    for (int item = 0; item < source.rows(); item++) {
      source.readRow(item, row);
      double factor = Math.pow(factors.of(item), exponent);
      for (int k = 0; k < row.length; k++) {
        row[k] = (float) (factor * row[k]);
      }
      target.writeRows(item, 1, row);
    }
  }

  /** A power of the factor of the item. */
  private record Power(ItemWeights factors, double exponent) implements HostField {
    @Override
    public float valueAt(int user, int item) {
      return (float) Math.pow(factors.of(item), exponent);
    }

    @Override
    public void fill(int firstUser, int firstItem, FloatMatrix tile) {
      float[] row = new float[tile.columns()];
      for (int item = 0; item < row.length; item++) {
        row[item] = valueAt(firstUser, firstItem + item);
      }
      for (int user = 0; user < tile.rows(); user++) {
        tile.writeRows(user, 1, row);
      }
    }

    @Override
    public ValueRange background(float scoreBound) {
      ValueRange range = factors.background(scoreBound);
      double low = Math.pow(range.low(), exponent);
      double high = Math.pow(range.high(), exponent);
      return new ValueRange(Math.min(low, high), Math.max(low, high));
    }
  }
}
