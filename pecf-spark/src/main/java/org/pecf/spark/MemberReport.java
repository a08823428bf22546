package org.pecf.spark;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.pecf.api.field.Posterior;

/**
 * The way in which a member was trained.
 *
 * @param alpha the weight with which the member joined: the prediction became (1 - a) f + a g
 * @param objective the objective after the last sweep
 * @param ignoredWeight the share of the weight of all cells that training ignored at most, because
 *     zeros were not all looked at one by one; zero for plain weights
 * @param unitUser the penalty of a user whose weights sum to 1
 * @param unitItem the penalty of an item whose weights sum to 1
 * @param scoreBound the absolute prediction beyond which zeros were weighted one by one; infinite
 *     if no cell was scanned
 * @param weightError the largest relative error of a zero's weight; 1 if no cell was scanned
 * @param hardZeros the number of zeros that were weighted one by one
 * @param weighting the function by which cells were weighted, unless weights are plain
 */
public record MemberReport(
    double alpha,
    double objective,
    double ignoredWeight,
    double unitUser,
    double unitItem,
    double scoreBound,
    double weightError,
    long hardZeros,
    Optional<Posterior> weighting) {
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

  static MemberReport plain() {
    return new MemberReport(1, 0, 0, 0, 0, Double.POSITIVE_INFINITY, 0, 0, Optional.empty());
  }

  static MemberReport weighted(Posterior function, double ignoredWeight) {
    return new MemberReport(
        1, 0, ignoredWeight, 0, 0, Double.POSITIVE_INFINITY, 1, 0, Optional.of(function));
  }

  /** Return the report of cells that were scanned for zeros of higher scores than a bound. */
  MemberReport scanned(double bound, double error, long zeros) {
    return new MemberReport(
        alpha, objective, ignoredWeight, unitUser, unitItem, bound, error, zeros, weighting);
  }

  MemberReport joined(double itsAlpha, MemberSweeps.Member member) {
    return new MemberReport(
        itsAlpha,
        member.objective(),
        ignoredWeight,
        member.unitUser(),
        member.unitItem(),
        scoreBound,
        weightError,
        hardZeros,
        weighting);
  }

  /** Read a stored report. */
  static MemberReport of(Row row) {
    float[] posterior = FeatureBlock.floats(row.getList(9));
    return new MemberReport(
        row.getDouble(1),
        row.getDouble(2),
        row.getDouble(3),
        row.getDouble(4),
        row.getDouble(5),
        row.getDouble(6),
        row.getDouble(7),
        row.getLong(8),
        posterior.length == 0
            ? Optional.empty()
            : Optional.of(new Posterior(posterior[0], posterior[1], posterior[2])));
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
        weighting
            .map(rho -> new Float[] {rho.nu(), rho.sigma(), rho.scale()})
            .orElseGet(() -> new Float[0]));
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
            ? weighting.isEmpty() ? "" : ", zeros not scanned"
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
