package org.pecf.spark;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;

/**
 * How well lists of a model hit positives that were held out, over some of their users.
 *
 * <p>Recall is the hits among the first M items / P, and NDCG the sum over hits at place p of
 * {@code 1 / log2(p + 1)}, divided by that of min(M, P) hits at the top, where P is the number of
 * the user's held-out positives: as everywhere in PECF.
 */
public final class RankingReport {
  private final int cutoff;
  private final double[] recalls;
  private final double[] gains;

  private RankingReport(int cutoff, double[] recalls, double[] gains) {
    this.cutoff = cutoff;
    this.recalls = recalls;
    this.gains = gains;
  }

  /**
   * Measure a model.
   *
   * @param training the cells that are left out of lists: columns user and item, whole numbers
   * @param heldOut the positives to be found; those of users that the model does not know do not
   *     count
   * @param cutoff the length M of lists
   * @param most the most users that are measured; which, depends on the seed and on their ids alone
   */
  static RankingReport of(
      PecfModel model,
      Dataset<Row> training,
      Dataset<Row> heldOut,
      int cutoff,
      int most,
      long seed) {
    String user = Grid.USER;
    Dataset<Row> sample =
        heldOut
            .select(user)
            .distinct()
            .join(model.userFactors().select(functions.col("id").as(user)), user)
            .orderBy(functions.xxhash64(functions.col(user), functions.lit(seed)))
            .limit(most)
            .persist();
    Dataset<Row> lists = model.recommendUnknown(sample, training.join(sample, user), cutoff);
    Dataset<Row> wanted =
        heldOut.join(sample, user).groupBy(user).agg(functions.collect_set(Grid.ITEM).as("held"));
    List<Row> rows =
        wanted.join(lists, user).select("held", "recommendations." + Grid.ITEM).collectAsList();
    sample.unpersist();
    double[] recalls = new double[rows.size()];
    double[] gains = new double[rows.size()];
    for (int k = 0; k < recalls.length; k++) {
      Set<Long> held = new HashSet<>(rows.get(k).<Long>getList(0));
      List<Long> list = rows.get(k).getList(1);
      double best = 0;
      for (int place = 1; place <= cutoff; place++) {
        double gain = 1 / (Math.log(place + 1) / Math.log(2));
        best += place <= held.size() ? gain : 0;
        if (place <= list.size() && held.contains(list.get(place - 1))) {
          recalls[k] += 1.0 / held.size();
          gains[k] += gain;
        }
      }
      gains[k] /= best;
    }
    return new RankingReport(cutoff, recalls, gains);
  }

  /** Return the number of users that were measured. */
  public int users() {
    return recalls.length;
  }

  /** Return the mean recall. */
  public double recall() {
    return mean(recalls);
  }

  /** Return the mean NDCG. */
  public double ndcg() {
    return mean(gains);
  }

  private static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum / values.length;
  }

  /** Return the standard error of a mean over sampled users. */
  private static double error(double[] values) {
    double mean = mean(values);
    double squares = 0;
    for (double value : values) {
      squares += (value - mean) * (value - mean);
    }
    return Math.sqrt(squares / Math.max(1, values.length - 1) / values.length);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "recall@%d %.4f (standard error %.4f), ndcg@%d %.4f (%.4f), over %d users",
        cutoff,
        recall(),
        error(recalls),
        cutoff,
        ndcg(),
        error(gains),
        users());
  }
}
