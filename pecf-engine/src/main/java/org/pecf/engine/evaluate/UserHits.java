package org.pecf.engine.evaluate;

import java.util.Arrays;
import java.util.Objects;
import java.util.stream.IntStream;
import org.pecf.api.evaluate.Metric;
import org.pecf.api.evaluate.RankedHits;

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
  double[] values(Metric metric, int cutoff) {
    Row row = new Row(cutoff);
    double[] values = new double[count];
    for (int k = 0; k < count; k++) {
      row.show(k);
      values[k] = metric.value(row);
    }
    return values;
  }

  /** A view of the hits of one user after the other. */
  private final class Row implements RankedHits {
    private final int cutoff;
    private int row;
    private int hits;

    Row(int cutoff) {
      this.cutoff = cutoff;
    }

    void show(int next) {
      row = next;
      hits = hitsWithin(next, cutoff);
    }

    @Override
    public int cutoff() {
      return cutoff;
    }

    @Override
    public int positives() {
      return positives[row];
    }

    @Override
    public int count() {
      return hits;
    }

    @Override
    public int place(int hit) {
      return places[starts[row] + Objects.checkIndex(hit, hits)];
    }
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
}
