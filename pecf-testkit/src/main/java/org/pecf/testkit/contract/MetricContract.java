package org.pecf.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.apiguardian.api.API;
import org.junit.jupiter.api.Test;
import org.pecf.api.evaluate.Metric;
import org.pecf.api.evaluate.MetricProvider;
import org.pecf.api.evaluate.RankedHits;
import org.pecf.api.plugin.NoOptions;

/** The contract of a metric: extend this class and supply the provider. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public abstract class MetricContract extends ProviderContract {
  private static final int LISTS = 500;

  /** For subclasses. */
  protected MetricContract() {}

  @Override
  protected abstract MetricProvider provider();

  /** The hits of a user. */
  private record Hits(int cutoff, int positives, int... places) implements RankedHits {
    @Override
    public int count() {
      return places.length;
    }

    @Override
    public int place(int hit) {
      return places[hit];
    }

    /** Return the hits of a list of the same length that begins with as many as it can hold. */
    Hits best() {
      return new Hits(
          cutoff, positives, IntStream.rangeClosed(1, Math.min(cutoff, positives)).toArray());
    }

    @Override
    public String toString() {
      return "hits at %s of %s, %s positives".formatted(Arrays.toString(places), cutoff, positives);
    }
  }

  /** Visit lists of many lengths, with no hit, as many as there can be, and some. */
  private void withLists(BiConsumer<Metric, Hits> rule) {
    Metric metric = provider().create(new NoOptions());
    Random random = new Random(1);
    for (int list = 0; list < LISTS; list++) {
      int cutoff = 1 + random.nextInt(list % 2 == 0 ? 4 : 1200);
      int positives = 1 + random.nextInt(list % 3 == 0 ? 2 : 1500);
      Hits best = new Hits(cutoff, positives).best();
      int count = random.nextInt(best.count() + 1);
      int[] places = random.ints(1, cutoff + 1).distinct().limit(count).sorted().toArray();
      rule.accept(metric, new Hits(cutoff, positives, places));
      rule.accept(metric, new Hits(cutoff, positives));
      rule.accept(metric, best);
    }
  }

  /** No hits, all hits, short and long lists: each has a finite value. */
  @Test
  public void isAlwaysANumber() {
    withLists(
        (metric, hits) -> {
          double value = metric.value(hits);
          assertTrue(Double.isFinite(value), () -> value + " for " + hits);
        });
  }

  /** The same hits have the same value, whatever was measured before. */
  @Test
  public void dependsOnTheHitsAlone() {
    withLists(
        (metric, hits) -> {
          double value = metric.value(hits);
          metric.value(hits.best());
          assertEquals(value, metric.value(hits), () -> "again for " + hits);
          assertEquals(
              value,
              provider().create(new NoOptions()).value(hits),
              () -> "by another metric for " + hits);
        });
  }

  /** The higher the better: no list is better than one that begins with all the hits. */
  @Test
  public void isHighestWhereTheHitsComeFirst() {
    withLists(
        (metric, hits) ->
            assertTrue(
                metric.value(hits) <= metric.value(hits.best()) + 1e-9,
                () -> hits + " are better than " + hits.best()));
  }
}
