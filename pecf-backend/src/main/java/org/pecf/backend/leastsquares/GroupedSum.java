package org.pecf.backend.leastsquares;

/**
 * Sums over the rows of a side in fixed groups: the values of a group are added in order, then the
 * groups. So a sum has the same bits wherever its groups are added up.
 */
public final class GroupedSum {
  /** The rows of a group. */
  public static final int GROUP = 512;

  private GroupedSum() {}

  /** Return the sum of all values. */
  public static double of(double[] values) {
    double sum = 0;
    for (double group : groups(values)) {
      sum += group;
    }
    return sum;
  }

  /** Return the sum of each group. */
  public static double[] groups(double[] values) {
    double[] sums = new double[(values.length + GROUP - 1) / GROUP];
    for (int k = 0; k < values.length; k++) {
      sums[k / GROUP] += values[k];
    }
    return sums;
  }
}
