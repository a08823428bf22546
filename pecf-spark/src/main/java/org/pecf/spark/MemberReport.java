package org.pecf.spark;

import java.io.Serializable;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.pecf.api.field.Posterior;

/** The way in which a member was trained. */
public final class MemberReport implements Serializable {
  private static final long serialVersionUID = 1;

  /** The columns of stored reports. */
  static final StructType TYPE =
      new StructType()
          .add("member", DataTypes.IntegerType, false)
          .add("alpha", DataTypes.DoubleType, false)
          .add("objective", DataTypes.DoubleType, false)
          .add("ignoredWeight", DataTypes.DoubleType, false)
          .add("unitUser", DataTypes.DoubleType, false)
          .add("unitItem", DataTypes.DoubleType, false)
          .add("scoreBound", DataTypes.DoubleType, false)
          .add("weightError", DataTypes.DoubleType, false)
          .add("hardZeros", DataTypes.LongType, false)
          .add("posterior", DataTypes.createArrayType(DataTypes.FloatType, false), false);

  private final double alpha;
  private final double objective;
  private final double ignoredWeight;
  private final double unitUser;
  private final double unitItem;

  private final double scoreBound;
  private final double weightError;
  private final long hardZeros;

  /** The constants nu, sigma and scale of the posterior weighting, or nothing. */
  private final float[] posterior;

  private MemberReport(
      double alpha,
      double objective,
      double ignoredWeight,
      double unitUser,
      double unitItem,
      double scoreBound,
      double weightError,
      long hardZeros,
      float[] posterior) {
    this.alpha = alpha;
    this.objective = objective;
    this.ignoredWeight = ignoredWeight;
    this.unitUser = unitUser;
    this.unitItem = unitItem;
    this.scoreBound = scoreBound;
    this.weightError = weightError;
    this.hardZeros = hardZeros;
    this.posterior = posterior;
  }

  static MemberReport plain() {
    return new MemberReport(1, 0, 0, 0, 0, Double.POSITIVE_INFINITY, 0, 0, new float[0]);
  }

  static MemberReport weighted(Posterior function, double ignoredWeight) {
    return new MemberReport(
        1,
        0,
        ignoredWeight,
        0,
        0,
        Double.POSITIVE_INFINITY,
        1,
        0,
        new float[] {function.nu(), function.sigma(), function.scale()});
  }

  /** Return the report of cells that were scanned for zeros of higher scores than a bound. */
  MemberReport scanned(double bound, double error, long zeros) {
    return new MemberReport(
        alpha, objective, ignoredWeight, unitUser, unitItem, bound, error, zeros, posterior);
  }

  MemberReport joined(double itsAlpha, MemberTraining.Member member) {
    return new MemberReport(
        itsAlpha,
        member.objective(),
        ignoredWeight,
        member.unitUser(),
        member.unitItem(),
        scoreBound,
        weightError,
        hardZeros,
        posterior);
  }

  /** Read a stored report. */
  static MemberReport of(Row row) {
    return new MemberReport(
        row.getDouble(1),
        row.getDouble(2),
        row.getDouble(3),
        row.getDouble(4),
        row.getDouble(5),
        row.getDouble(6),
        row.getDouble(7),
        row.getLong(8),
        FeatureBlock.floats(row.getList(9)));
  }

  /** Return this report as a row to be stored. */
  Row row(int member) {
    return RowFactory.create(
        member,
        alpha,
        objective,
        ignoredWeight,
        unitUser,
        unitItem,
        scoreBound,
        weightError,
        hardZeros,
        FeatureBlock.boxed(posterior));
  }

  /** Return the weight with which the member joined: the prediction became (1 - a) f + a g. */
  public double alpha() {
    return alpha;
  }

  /** Return the objective after the last sweep. */
  public double objective() {
    return objective;
  }

  /**
   * Return the share of the weight of all cells that training ignored at most, because zeros were
   * not all looked at one by one. Zero for plain weights.
   */
  public double ignoredWeight() {
    return ignoredWeight;
  }

  /**
   * Return the absolute prediction beyond which zeros were weighted one by one; infinite if no cell
   * was scanned.
   */
  public double scoreBound() {
    return scoreBound;
  }

  /** Return the largest relative error of a zero's weight; 1 if no cell was scanned. */
  public double weightError() {
    return weightError;
  }

  /** Return the number of zeros that were weighted one by one. */
  public long hardZeros() {
    return hardZeros;
  }

  /** Return the penalty of a user whose weights sum to 1. */
  double unitUser() {
    return unitUser;
  }

  /** Return the penalty of an item whose weights sum to 1. */
  double unitItem() {
    return unitItem;
  }

  /** Return the function by which cells were weighted, unless weights are plain. */
  Optional<Posterior> weighting() {
    return posterior.length == 0
        ? Optional.empty()
        : Optional.of(new Posterior(posterior[0], posterior[1], posterior[2]));
  }

  /** Return the weights that members have after they joined. */
  static double[] weights(List<MemberReport> reports) {
    double[] weights = new double[reports.size()];
    for (int k = 0; k < weights.length; k++) {
      double joined = reports.get(k).alpha;
      for (int older = 0; older < k; older++) {
        weights[older] *= 1 - joined;
      }
      weights[k] = joined;
    }
    return weights;
  }

  @Override
  public String toString() {
    String scan =
        scoreBound == Double.POSITIVE_INFINITY
            ? posterior.length == 0 ? "" : ", zeros not scanned"
            : String.format(
                Locale.ROOT,
                ", %d zeros with |score| > %.3f, weight error of others at most %.3f",
                hardZeros,
                scoreBound,
                weightError);
    return String.format(
        Locale.ROOT,
        "alpha %.4f, objective %.6g, ignored weight at most %.3g of all%s",
        alpha,
        objective,
        ignoredWeight,
        scan);
  }
}
