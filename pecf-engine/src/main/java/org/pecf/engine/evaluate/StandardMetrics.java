package org.pecf.engine.evaluate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.pecf.api.evaluate.Metric;
import org.pecf.api.evaluate.MetricProvider;
import org.pecf.api.evaluate.RankedHits;
import org.pecf.api.plugin.NoOptions;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/**
 * The metrics of the program, which every evaluation measures.
 *
 * <p>Throughout, M is the cutoff, P the number of the user's positives in the evaluated part, and
 * averages are over the users with P at least 1.
 */
public final class StandardMetrics {
  private static final List<Standard> ALL =
      List.of(
          new Recall(),
          new TruncatedRecall(),
          new Precision(),
          new Ndcg(),
          new AveragePrecision(),
          new ReciprocalRank(),
          new HitRate());

  private StandardMetrics() {}

  /** Return the metrics by id, in the order of reports. */
  static Map<String, Standard> all() {
    Map<String, Standard> all = new LinkedHashMap<>();
    ALL.forEach(standard -> all.put(standard.description.id(), standard));
    return all;
  }

  /** A metric of the program, and its provider. */
  abstract static class Standard implements MetricProvider {
    private final ProviderDescription description;
    private final Metric metric;

    Standard(String id, String definition, Metric metric) {
      this.description = new ProviderDescription(id, definition, SpiVersion.CURRENT);
      this.metric = metric;
    }

    @Override
    public ProviderDescription describe() {
      return description;
    }

    @Override
    public Metric create(NoOptions options) {
      return metric;
    }
  }

  /** How many of the held-out positives are found. */
  public static final class Recall extends Standard {
    /** Provide the metric. */
    public Recall() {
      super(
          MetricKey.RECALL,
          "hits among the first M items / P, averaged over users with held-out positives",
          hits -> (double) hits.count() / hits.positives());
    }
  }

  /** The same against the most that a list of M items can hold. */
  public static final class TruncatedRecall extends Standard {
    /** Provide the metric. */
    public TruncatedRecall() {
      super(
          "truncated-recall",
          "hits among the first M items / min(M, P), averaged over users with held-out positives",
          hits -> (double) hits.count() / attainable(hits));
    }
  }

  /** How much of the list is held-out positives. */
  public static final class Precision extends Standard {
    /** Provide the metric. */
    public Precision() {
      super(
          "precision",
          "hits among the first M items / M, also where fewer than M items can be ranked, averaged"
              + " over users with held-out positives",
          hits -> (double) hits.count() / hits.cutoff());
    }
  }

  /** How high up the hits are, discounted by the logarithm of their place. */
  public static final class Ndcg extends Standard {
    private static final double[] DISCOUNTS =
        IntStream.rangeClosed(1, 1000).mapToDouble(Ndcg::computedDiscount).toArray();

    /** Provide the metric. */
    public Ndcg() {
      super(
          MetricKey.NDCG,
          "sum over hits at place p <= M of 1/log2(p + 1), divided by that of min(M, P) hits at the"
              + " top, averaged over users with held-out positives",
          Ndcg::value);
    }

    private static double value(RankedHits hits) {
      double gain = 0;
      for (int hit = 0; hit < hits.count(); hit++) {
        gain += discount(hits.place(hit));
      }
      double ideal = 0;
      for (int place = 1; place <= attainable(hits); place++) {
        ideal += discount(place);
      }
      return gain / ideal;
    }

    private static double discount(int place) {
      return place <= DISCOUNTS.length ? DISCOUNTS[place - 1] : computedDiscount(place);
    }

    /** Return 1 / log2(p + 1). */
    private static double computedDiscount(int place) {
      return StrictMath.log(2) / StrictMath.log(place + 1);
    }
  }

  /** How precise the list is at each hit. */
  public static final class AveragePrecision extends Standard {
    /** Provide the metric. */
    public AveragePrecision() {
      super(
          "map",
          "sum over hits at place p <= M of (hits among the first p items / p), divided by min(M,"
              + " P), averaged over users with held-out positives",
          AveragePrecision::value);
    }

    private static double value(RankedHits hits) {
      double sum = 0;
      for (int hit = 0; hit < hits.count(); hit++) {
        sum += (hit + 1.0) / hits.place(hit);
      }
      return sum / attainable(hits);
    }
  }

  /** How high up the first hit is. */
  public static final class ReciprocalRank extends Standard {
    /** Provide the metric. */
    public ReciprocalRank() {
      super(
          "mrr",
          "1 / place of the first hit if it is at most M, else 0, averaged over users with held-out"
              + " positives",
          hits -> hits.count() == 0 ? 0 : 1.0 / hits.place(0));
    }
  }

  /** How many users have a hit. */
  public static final class HitRate extends Standard {
    /** Provide the metric. */
    public HitRate() {
      super(
          "hit-rate",
          "the share of the users with held-out positives who have a hit among the first M items",
          hits -> hits.count() == 0 ? 0 : 1);
    }
  }

  /** Return the most hits that the list can hold. */
  private static int attainable(RankedHits hits) {
    return Math.min(hits.cutoff(), hits.positives());
  }
}
