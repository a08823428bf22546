package org.pecf.spark;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.expressions.UserDefinedFunction;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.pecf.engine.evaluate.CandidatePolicy;
import org.pecf.engine.evaluate.EvaluationRequest;
import org.pecf.engine.evaluate.MetricKey;
import org.pecf.engine.evaluate.Metrics;
import org.pecf.engine.evaluate.UserHits;
import org.pecf.engine.evaluate.UserSample;

/** How well lists of a model hit positives that were held out, over some of their users. */
public final class RankingReport {
  private final int cutoff;
  private final Metrics metrics;
  private final UserHits hits;
  private final long all;

  private RankingReport(int cutoff, UserHits hits, long all) {
    this.cutoff = cutoff;
    this.metrics =
        Metrics.of(new EvaluationRequest(List.of(cutoff), CandidatePolicy.ALL_BUT_TRAINING));
    this.hits = hits;
    this.all = all;
  }

  /**
   * Measure a model.
   *
   * @param training the cells that are left out of lists: columns user and item, whole numbers
   * @param heldOut the positives to be found; those of users that the model does not know do not
   *     count
   * @param cutoff the length of lists
   * @param sample the users that are measured, drawn by their ids
   */
  static RankingReport of(
      PecfModel model, Dataset<Row> training, Dataset<Row> heldOut, int cutoff, UserSample sample) {
    String user = TrainingCells.USER;
    UserDefinedFunction order = functions.udf((UDF1<Long, Long>) sample::order, DataTypes.LongType);
    Dataset<Row> users =
        heldOut
            .select(user)
            .distinct()
            .join(model.userFactors().select(functions.col("id").as(user)), user)
            .persist();
    Dataset<Row> drawn =
        users
            .orderBy(order.apply(functions.col(user).cast(DataTypes.LongType)))
            .limit(sample.most())
            .persist();
    Dataset<Row> lists = model.recommendUnknown(drawn, training.join(drawn, user), cutoff);
    Dataset<Row> wanted =
        heldOut
            .join(drawn, user)
            .groupBy(user)
            .agg(functions.collect_set(TrainingCells.ITEM).as("held"));
    List<Row> rows =
        wanted
            .join(lists, user)
            .select("held", "recommendations." + TrainingCells.ITEM)
            .collectAsList();
    UserHits hits = new UserHits(rows.size());
    for (int k = 0; k < rows.size(); k++) {
      Set<Long> held = new HashSet<>(rows.get(k).<Long>getList(0));
      List<Long> list = rows.get(k).getList(1);
      hits.user(k, held.size());
      for (int place = 1; place <= list.size(); place++) {
        if (held.contains(list.get(place - 1))) {
          hits.hit(place);
        }
      }
    }
    long all = users.count();
    drawn.unpersist();
    users.unpersist();
    return new RankingReport(cutoff, hits, all);
  }

  /** Return the number of users that were measured. */
  public int users() {
    return hits.count();
  }

  /** Return the number of users who have positives that were held out and whom the model knows. */
  public long allUsers() {
    return all;
  }

  /** Return the mean recall. */
  public double recall() {
    return mean(MetricKey.RECALL);
  }

  /** Return the mean NDCG. */
  public double ndcg() {
    return mean(MetricKey.NDCG);
  }

  private double[] values(String metric) {
    return metrics.values(new MetricKey(metric, cutoff), hits);
  }

  private double mean(String metric) {
    return Arrays.stream(values(metric)).average().orElse(Double.NaN);
  }

  private double error(String metric) {
    return UserSample.standardError(values(metric), all);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "recall@%d %.4f (standard error %.4f), ndcg@%d %.4f (%.4f), over %d of %d users",
        cutoff,
        recall(),
        error(MetricKey.RECALL),
        cutoff,
        ndcg(),
        error(MetricKey.NDCG),
        users(),
        all);
  }
}
