package org.pecf.api.field;

import java.util.Arrays;
import org.apiguardian.api.API;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.SparseCells;

/**
 * A positive number for every item, the same for all users: the factor by which zeros of popular
 * items weigh more. The mean over the items is one.
 *
 * <p>Any backend can evaluate it as a {@link HostField}. A backend that knows it can split weights
 * {@code q_j w_ij} whose {@code w} has a constant background as it splits {@code w}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ItemWeights implements HostField {
  private final float[] values;
  private final double exponent;
  private final double mean;
  private final ValueRange range;

  private ItemWeights(float[] values, double exponent, double mean) {
    this.values = values;
    this.exponent = exponent;
    this.mean = mean;
    float low = Float.POSITIVE_INFINITY;
    float high = 0;
    for (float value : values) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    this.range = new ValueRange(low, high);
  }

  /**
   * Return weights {@code q_j} in proportion to {@code (n_j + 1)^exponent}, where n_j is how many
   * cells item j has. One more is counted so that no item is without weight.
   *
   * @param cells the cells to count; not used later
   * @param exponent a finite number; 0 gives one for every item
   */
  public static ItemWeights ofPopularity(SparseCells cells, double exponent) {
    double[] powers = new double[cells.items()];
    Arrays.setAll(powers, item -> power(cells.itemCount(item), exponent));
    double mean = Arrays.stream(powers).average().orElse(1);
    float[] values = new float[powers.length];
    for (int item = 0; item < values.length; item++) {
      values[item] = (float) (powers[item] / mean);
    }
    return new ItemWeights(values, exponent, mean);
  }

  private static double power(int count, double exponent) {
    return Math.pow(count + 1.0, exponent);
  }

  /** Return the number of an item that was not counted, if it has as many cells. */
  public float ofCount(int count) {
    return (float) (power(count, exponent) / mean);
  }

  /** Return the number of an item. */
  public float of(int item) {
    return values[item];
  }

  @Override
  public float valueAt(int user, int item) {
    return values[item];
  }

  @Override
  public void fill(int firstUser, int firstItem, FloatMatrix tile) {
    float[] row = Arrays.copyOfRange(values, firstItem, firstItem + tile.columns());
    for (int user = 0; user < tile.rows(); user++) {
      tile.writeRows(user, 1, row);
    }
  }

  @Override
  public ValueRange background(float scoreBound) {
    return range;
  }

  @Override
  public String toString() {
    return "ItemWeights[" + range + "]";
  }
}
