package org.pecf.api.field;

import org.apiguardian.api.API;
import org.pecf.api.memory.FloatMatrix;

/**
 * The product of a number of the user and a number of the item, {@code a_i b_j}: how much the cells
 * of a part of the grid with soft edges count.
 *
 * <p>Any backend can evaluate it as a {@link HostField}. A backend that knows it can split weights
 * {@code a_i b_j w_ij} as it splits {@code w}.
 *
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Separable implements HostField {
  private final float[] users;
  private final float[] items;

  /**
   * Create the field.
   *
   * @param users a, finite and not negative. Copied.
   * @param items b, likewise. Copied.
   */
  public Separable(float[] users, float[] items) {
    this.users = checked("user", users);
    this.items = checked("item", items);
  }

  private static float[] checked(String side, float[] values) {
    for (int row = 0; row < values.length; row++) {
      if (!(values[row] >= 0 && values[row] <= Float.MAX_VALUE)) {
        throw new IllegalArgumentException(
            "the number of " + side + " " + row + " is " + values[row] + ", not 0 or more");
      }
    }
    return values.clone();
  }

  /** Return the number of a user. */
  public float user(int user) {
    return users[user];
  }

  /** Return the number of an item. */
  public float item(int item) {
    return items[item];
  }

  /** Return the product with another field of the same grid, cell by cell. */
  public Separable times(Separable other) {
    return new Separable(product(users, other.users), product(items, other.items));
  }

  private static float[] product(float[] left, float[] right) {
    float[] product = left.clone();
    for (int row = 0; row < product.length; row++) {
      product[row] *= right[row];
    }
    return product;
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

  @Override
  public ValueRange background(float scoreBound) {
    return new ValueRange(least(users) * (double) least(items), most(users) * (double) most(items));
  }

  private static float least(float[] values) {
    float least = Float.POSITIVE_INFINITY;
    for (float value : values) {
      least = Math.min(least, value);
    }
    return least;
  }

  private static float most(float[] values) {
    float most = 0;
    for (float value : values) {
      most = Math.max(most, value);
    }
    return most;
  }

  @Override
  public String toString() {
    return "Separable[" + background(0) + "]";
  }
}
