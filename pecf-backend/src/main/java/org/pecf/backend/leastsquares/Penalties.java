package org.pecf.backend.leastsquares;

import java.util.Arrays;
import org.pecf.api.compute.Ridge;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.Side;

/**
 * The penalty lambda of every row of both sides; zero for a row without any weight.
 *
 * @param users the penalties of the users
 * @param items the penalties of the items
 * @param unitUser the penalty of a user whose weights sum to 1
 * @param unitItem the penalty of an item whose weights sum to 1
 */
public record Penalties(double[] users, double[] items, double unitUser, double unitItem) {
  /**
   * Return penalties scaled by the sums of the rows' weights, as {@link Ridge} defines.
   *
   * @param userSums the weight of each user. Not modified.
   * @param itemSums the weight of each item. Not modified.
   */
  public static Penalties scaled(Ridge ridge, double[] userSums, double[] itemSums) {
    return new Penalties(
        scale(ridge.users(), ridge.exponent(), userSums),
        scale(ridge.items(), ridge.exponent(), itemSums),
        unit(ridge.users(), ridge.exponent(), userSums),
        unit(ridge.items(), ridge.exponent(), itemSums));
  }

  /** Return the same penalty for every row of a side. */
  public static Penalties equal(Ridge ridge, int users, int items) {
    double[] allUsers = new double[users];
    Arrays.fill(allUsers, ridge.users());
    double[] allItems = new double[items];
    Arrays.fill(allItems, ridge.items());
    return new Penalties(allUsers, allItems, ridge.users(), ridge.items());
  }

  private static double[] scale(double lambda, double exponent, double[] sums) {
    double[] powers = powers(exponent, sums);
    double mean = GroupedSum.of(powers) / sums.length;
    return Arrays.stream(powers).map(power -> ofPower(lambda, power, mean)).toArray();
  }

  private static double unit(double lambda, double exponent, double[] sums) {
    return unit(lambda, GroupedSum.of(powers(exponent, sums)) / sums.length);
  }

  /**
   * Return the penalty of a row.
   *
   * @param power the row's weight to the power of the exponent
   * @param mean the mean of these powers over all rows
   */
  public static double ofPower(double lambda, double power, double mean) {
    return mean == 0 ? lambda : lambda * power / mean;
  }

  /** Return the penalty of a row whose weights sum to 1, given the mean of the powers. */
  public static double unit(double lambda, double mean) {
    return mean == 0 ? lambda : lambda / mean;
  }

  /** Return the weights of rows to the power of the exponent. */
  public static double[] powers(double exponent, double[] sums) {
    return Arrays.stream(sums).map(sum -> Math.pow(sum, exponent)).toArray();
  }

  /** Return the penalty of a row of a side whose weights sum to 1. */
  public double unit(Side side) {
    return side == Side.USERS ? unitUser : unitItem;
  }

  /** Return the penalties of a side. */
  public double[] of(Side side) {
    return side == Side.USERS ? users : items;
  }

  /** Return the side that is to be solved, if it may be changed and the factors fit the problem. */
  public FloatMatrix solved(Side side, FactorModel factors, int rank) {
    if (factors.rank() != rank
        || factors.users().rows() != users.length
        || factors.items().rows() != items.length) {
      throw new IllegalArgumentException(
          String.format(
              "%d factors of %s do not fit a problem of %d factors, %d users and %d items",
              factors.rank(), factors.shape(), rank, users.length, items.length));
    }
    return factors.side(side).writable();
  }

  /** Return {@code sum_i lambda_i / 2 |x_i|^2} over the rows of a side. */
  public double penalty(Side side, FactorModel factors) {
    FloatMatrix matrix = factors.side(side);
    double[] lambda = of(side);
    float[] row = new float[matrix.columns()];
    double total = 0;
    for (int i = 0; i < matrix.rows(); i++) {
      matrix.readRow(i, row);
      double squares = 0;
      for (float x : row) {
        squares += (double) x * x;
      }
      total += lambda[i] / 2 * squares;
    }
    return total;
  }
}
