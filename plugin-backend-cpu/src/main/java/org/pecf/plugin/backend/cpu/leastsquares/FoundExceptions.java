package org.pecf.plugin.backend.cpu.leastsquares;

import java.util.Arrays;
import org.pecf.backend.leastsquares.ExcessLevels;

/** The exceptions found among consecutive users, on the heap, user after user. */
final class FoundExceptions {
  private static final int FIRST_SIZE = 1024;

  private final int[] ends;
  private final int[] aboves;
  private final double[] sums;
  private int[] items = new int[FIRST_SIZE];
  private float[] excess = new float[FIRST_SIZE];
  private float[] pulls = new float[FIRST_SIZE];
  private int count;
  private double added;
  private double squares;
  private final LevelRange levels = new LevelRange();

  FoundExceptions(int users) {
    ends = new int[users];
    aboves = new int[users];
    sums = new double[users];
  }

  /** The ranges of the excess above and below the background. */
  static final class LevelRange {
    private float leastAbove = Float.POSITIVE_INFINITY;
    private float mostAbove = Float.NEGATIVE_INFINITY;
    private float leastBelow = Float.POSITIVE_INFINITY;
    private float mostBelow = Float.NEGATIVE_INFINITY;

    private void include(float excess) {
      if (excess >= 0) {
        leastAbove = Math.min(leastAbove, excess);
        mostAbove = Math.max(mostAbove, excess);
      } else {
        leastBelow = Math.min(leastBelow, excess);
        mostBelow = Math.max(mostBelow, excess);
      }
    }

    /** Widen the ranges to include another's. */
    void include(LevelRange other) {
      leastAbove = Math.min(leastAbove, other.leastAbove);
      mostAbove = Math.max(mostAbove, other.mostAbove);
      leastBelow = Math.min(leastBelow, other.leastBelow);
      mostBelow = Math.max(mostBelow, other.mostBelow);
    }

    ExcessLevels levels() {
      boolean uniform = leastAbove >= mostAbove && leastBelow >= mostBelow && mostAbove != 0;
      return new ExcessLevels(uniform, uniform ? mostAbove : 0, uniform ? mostBelow : 0);
    }
  }

  /** Add an exception, unless it makes no difference. */
  void add(int item, float itsExcess, float itsPull) {
    add(item, itsExcess, itsPull, itsExcess);
  }

  /**
   * Add an exception, unless it makes no difference.
   *
   * @param weight the weight that it adds to its row, divided by the row's factor, if that is not
   *     the excess
   */
  void add(int item, float itsExcess, float itsPull, double weight) {
    if (itsExcess == 0 && itsPull == 0) {
      return;
    }
    added += weight;
    items[count] = item;
    excess[count] = itsExcess;
    pulls[count++] = itsPull;
    levels.include(itsExcess);
  }

  /** Add to the sum of squares. */
  void addSquares(double added) {
    squares += added;
  }

  /** Add all exceptions of another. */
  void addAll(FoundExceptions other) {
    reserve(other.count);
    System.arraycopy(other.items, 0, items, count, other.count);
    System.arraycopy(other.excess, 0, excess, count, other.count);
    System.arraycopy(other.pulls, 0, pulls, count, other.count);
    count += other.count;
    added += other.added;
    squares += other.squares;
    levels.include(other.levels);
  }

  /** Make room for more exceptions. */
  void reserve(int more) {
    if (count + more > items.length) {
      int size = Math.max(count + more, items.length * 2);
      items = Arrays.copyOf(items, size);
      excess = Arrays.copyOf(excess, size);
      pulls = Arrays.copyOf(pulls, size);
    }
  }

  /** Mark the end of a user's exceptions. */
  void markEnd(int user) {
    for (int p = user == 0 ? 0 : ends[user - 1]; p < count; p++) {
      aboves[user] += excess[p] >= 0 ? 1 : 0;
    }
    ends[user] = count;
    sums[user] = added;
    added = 0;
  }

  /** Return the number of users. */
  int users() {
    return ends.length;
  }

  /** Return the end of a user's exceptions. */
  int end(int user) {
    return ends[user];
  }

  /** Return the number of a user's exceptions above the background. */
  int above(int user) {
    return aboves[user];
  }

  /** Return the weight that a user's exceptions add, divided by the user's factor. */
  double sum(int user) {
    return sums[user];
  }

  /** Return the number of exceptions. */
  int count() {
    return count;
  }

  /** Return {@code sum (w t^2 - b t_b^2)} over the exceptions. */
  double squares() {
    return squares;
  }

  /** Return the ranges of the excess. */
  LevelRange levels() {
    return levels;
  }

  /** Return the item of an exception. */
  int item(int index) {
    return items[index];
  }

  /** Return the excess weight of an exception. */
  float excess(int index) {
    return excess[index];
  }

  /** Return the pull of an exception. */
  float pull(int index) {
    return pulls[index];
  }
}
