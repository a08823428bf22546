package org.pecf.engine.evaluate;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The places of held-out positives in each user's list: all that per-user metrics need.
 *
 * <p>It takes two ints per hit and a few per user, whatever the number of metrics and cutoffs.
 */
public final class UserHits {
  private static final int NO_ITEM = -1;

  private final int[] users;
  private final int[] positives;
  private final int[] starts;
  private int[] places = new int[1024];
  private int[] items = new int[1024];
  private int count;

  /** Reserve room for a number of users. */
  public UserHits(int capacity) {
    users = new int[capacity];
    positives = new int[capacity];
    starts = new int[capacity + 1];
  }

  /** Begin the list of the next user. */
  public void user(int user, int userPositives) {
    users[count] = user;
    positives[count] = userPositives;
    starts[count + 1] = starts[count];
    count++;
  }

  /** Add a hit to the list begun last; places are counted from 1 and ascend. */
  public void hit(int place) {
    hit(place, NO_ITEM);
  }

  /** Add a hit with its item to the list begun last. */
  void hit(int place, int item) {
    int position = starts[count]++;
    if (position == places.length) {
      places = Arrays.copyOf(places, Math.addExact(position, position / 2));
      items = Arrays.copyOf(items, places.length);
    }
    places[position] = place;
    items[position] = item;
  }

  /** Return how many users there are. */
  public int count() {
    return count;
  }

  /** Return the users in the order they were added. */
  int[] users() {
    return Arrays.copyOf(users, count);
  }

  /** Return the items of all hits within a cutoff, one user after the other. */
  int[] hits(int cutoff) {
    return IntStream.range(0, starts[count])
        .filter(position -> places[position] <= cutoff)
        .map(position -> items[position])
        .filter(item -> item != NO_ITEM)
        .toArray();
  }

  /** Return the value of a metric for each user. */
  public double[] values(MetricKey key) {
    double[] discounts =
        key.metric() == Metric.NDCG ? discounts(Math.min(key.cutoff(), longest())) : new double[0];
    double[] values = new double[count];
    for (int row = 0; row < count; row++) {
      values[row] = value(key.metric(), key.cutoff(), row, discounts);
    }
    return values;
  }

  private double value(Metric metric, int cutoff, int row, double[] discounts) {
    int start = starts[row];
    int hits = hitsWithin(row, cutoff);
    int attainable = Math.min(cutoff, positives[row]);
    return switch (metric) {
      case RECALL -> (double) hits / positives[row];
      case TRUNCATED_RECALL -> (double) hits / attainable;
      case PRECISION -> (double) hits / cutoff;
      case NDCG -> discountedGain(start, hits, discounts) / idealGain(attainable, discounts);
      case MAP -> precisionSum(start, hits) / attainable;
      case MRR -> hits == 0 ? 0 : 1.0 / places[start];
      case HIT_RATE -> hits == 0 ? 0 : 1;
      case COVERAGE, WMSE ->
          throw new IllegalArgumentException(metric.id() + " has no value for a single user");
    };
  }

  private int hitsWithin(int row, int cutoff) {
    int low = starts[row];
    int high = starts[row + 1];
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (places[middle] <= cutoff) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - starts[row];
  }

  private double discountedGain(int start, int hits, double[] discounts) {
    double gain = 0;
    for (int k = 0; k < hits; k++) {
      gain += discounts[places[start + k] - 1];
    }
    return gain;
  }

  private static double idealGain(int hits, double[] discounts) {
    double gain = 0;
    for (int k = 0; k < hits; k++) {
      gain += discounts[k];
    }
    return gain;
  }

  private double precisionSum(int start, int hits) {
    double sum = 0;
    for (int k = 0; k < hits; k++) {
      sum += (k + 1.0) / places[start + k];
    }
    return sum;
  }

  /** Return the last place that any hit has, or the most positives that a user has. */
  private int longest() {
    int most = Arrays.stream(positives, 0, count).max().orElse(0);
    return Math.max(most, Arrays.stream(places, 0, starts[count]).max().orElse(0));
  }

  /** Return 1 / log2(p + 1) for places p = 1 to the cutoff. */
  private static double[] discounts(int cutoff) {
    double[] discounts = new double[cutoff];
    for (int k = 0; k < cutoff; k++) {
      discounts[k] = StrictMath.log(2) / StrictMath.log(k + 2);
    }
    return discounts;
  }
}
