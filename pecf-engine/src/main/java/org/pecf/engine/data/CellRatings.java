package org.pecf.engine.data;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.run.Cancellation;
import org.pecf.api.run.Parallelism;

/**
 * Ratings by user, in the order of the source, among which the positives are determined.
 *
 * <p>A counting sort groups them by user; then the ratings of each user are sorted by item, users
 * in parallel.
 */
final class CellRatings implements AutoCloseable {
  private static final int USERS_PER_TASK = 1024;

  /** The report that a cell is rated more than once although it must not be. */
  interface Rejection {
    /** Create the report. */
    RuntimeException of(int user, int item);
  }

  /**
   * The numbers of ratings that were kept and dropped.
   *
   * @param positives the number of positives of each user, which are the first of the user's
   *     ratings
   * @param duplicates the number of ratings that did not count
   * @param acrossParts the number of duplicates in another part than the rating that counts
   * @param negatives the number of each user's ratings that count but are not positives, which
   *     follow the positives
   */
  record Settlement(int[] positives, long duplicates, long acrossParts, int[] negatives) {
    /** Return the number of positives. */
    int total() {
      return Arrays.stream(positives).sum();
    }

    /** Return the number of ratings that count but are not positives. */
    int totalNegatives() {
      return Arrays.stream(negatives).sum();
    }
  }

  private final int[] starts;
  private final Fields fields;

  /**
   * Item, value and, if there are any, time of each rating side by side: ratings arrive in any
   * order of users, and this way each goes to one place in memory.
   */
  private final OffHeapColumn rows;

  /** The number of ints per row. */
  private final int stride;

  private final OffHeapColumn parts;

  private CellRatings(int[] starts, Fields fields, BufferAllocator allocator) {
    this.starts = starts;
    this.fields = fields;
    this.stride = fields.times() ? 4 : 2;
    long count = starts[starts.length - 1];
    this.rows = OffHeapColumn.unset(allocator, count * stride, Integer.BYTES);
    try {
      this.parts = OffHeapColumn.unset(allocator, fields.parts() ? count : 0, Byte.BYTES);
    } catch (RuntimeException e) {
      rows.close();
      throw e;
    }
  }

  /**
   * Sort ratings by user.
   *
   * @param batches the batches in the order of the source, each with the given fields. Closed.
   * @param userRanks the index of each user number. Not modified.
   * @param itemRanks the index of each item number. Not modified.
   */
  static CellRatings gather(
      List<EncodedBatch> batches,
      int[] userRanks,
      int[] itemRanks,
      Fields fields,
      BufferAllocator allocator,
      Cancellation cancellation) {
    int[] starts = new int[userRanks.length + 1];
    for (EncodedBatch batch : batches) {
      for (int k = 0; k < batch.count(); k++) {
        starts[userRanks[batch.users().intAt(k)] + 1]++;
      }
    }
    for (int user = 1; user < starts.length; user++) {
      starts[user] += starts[user - 1];
    }
    CellRatings ratings = new CellRatings(starts, fields, allocator);
    try {
      int[] next = starts.clone();
      for (EncodedBatch batch : batches) {
        cancellation.check();
        ratings.scatter(batch, userRanks, itemRanks, next);
        batch.close();
      }
      return ratings;
    } catch (RuntimeException e) {
      ratings.close();
      throw e;
    }
  }

  private void scatter(EncodedBatch batch, int[] userRanks, int[] itemRanks, int[] next) {
    for (int k = 0; k < batch.count(); k++) {
      int position = next[userRanks[batch.users().intAt(k)]]++;
      setItem(position, itemRanks[batch.items().intAt(k)]);
      if (fields.ratings()) {
        rows.set((long) position * stride + 1, Objects.requireNonNull(batch.ratings()).floatAt(k));
      }
      if (fields.times()) {
        setTime(position, Objects.requireNonNull(batch.times()).longAt(k));
      }
      if (fields.parts()) {
        parts.set(position, (byte) batch.part().ordinal());
      }
    }
  }

  /**
   * The fields of ratings in addition to their cells.
   *
   * @param ratings whether there are values
   * @param times whether there are times
   * @param parts whether there are parts
   */
  record Fields(boolean ratings, boolean times, boolean parts) {}

  /** Return the position of a user's first rating. */
  int start(int user) {
    return starts[user];
  }

  /** Return the item at a position. */
  int itemAt(int position) {
    return rows.intAt((long) position * stride);
  }

  private void setItem(int position, int item) {
    rows.set((long) position * stride, item);
  }

  private float ratingAt(int position) {
    return rows.floatAt((long) position * stride + 1);
  }

  /** Return the time at a position. */
  long timeAt(int position) {
    return rows.longAt(2L * position + 1);
  }

  private void setTime(int position, long time) {
    rows.set(2L * position + 1, time);
  }

  /** Return the ordinal of the part at a position. */
  byte partAt(int position) {
    return parts.byteAt(position);
  }

  /**
   * Keep one rating per cell. Each user's ratings then begin with the positives, by item, followed
   * by the items of the others.
   */
  Settlement settle(DatasetRules rules, Parallelism parallelism, Rejection rejection) {
    int users = starts.length - 1;
    int[] positives = new int[users];
    LongAdder duplicates = new LongAdder();
    LongAdder acrossParts = new LongAdder();
    int[] negatives = new int[users];
    int tasks = (users + USERS_PER_TASK - 1) / USERS_PER_TASK;
    parallelism.forEach(
        tasks,
        (task, worker) -> {
          UserRatings ratings = new UserRatings(rules, rejection);
          int end = Math.min(users, (task + 1) * USERS_PER_TASK);
          for (int user = task * USERS_PER_TASK; user < end; user++) {
            positives[user] = ratings.settle(user);
            negatives[user] = ratings.negatives;
          }
          duplicates.add(ratings.duplicates);
          acrossParts.add(ratings.acrossParts);
        });
    return new Settlement(positives, duplicates.sum(), acrossParts.sum(), negatives);
  }

  @Override
  public void close() {
    rows.close();
    parts.close();
  }

  /** The ratings of one user after another, with scratch memory for the longest list. */
  private final class UserRatings {
    private final DatasetRules rules;
    private final Rejection rejection;
    private long[] keys = new long[64];
    private int[] keptItems = new int[64];
    private long[] keptTimes = new long[64];
    private byte[] keptParts = new byte[64];
    private int[] negativeItems = new int[64];
    private int start;
    private long duplicates;
    private long acrossParts;
    private int negatives;

    UserRatings(DatasetRules rules, Rejection rejection) {
      this.rules = rules;
      this.rejection = rejection;
    }

    int settle(int user) {
      start = starts[user];
      int count = starts[user + 1] - start;
      if (count > keys.length) {
        int room = (int) Math.min(Integer.MAX_VALUE - 8L, Math.max(count, 2L * keys.length));
        keys = new long[room];
        keptItems = new int[room];
        keptTimes = new long[room];
        keptParts = new byte[room];
        negativeItems = new int[room];
      }
      // Item in the upper half, place in the lower: sorts by item, then in the order of the source.
      boolean ascending = true;
      for (int k = 0; k < count; k++) {
        keys[k] = (long) itemAt(start + k) << Integer.SIZE | k;
        ascending &= k == 0 || keys[k - 1] < keys[k];
      }
      if (!ascending) {
        Arrays.sort(keys, 0, count);
      }
      int kept = 0;
      negatives = 0;
      for (int first = 0, end; first < count; first = end) {
        int item = (int) (keys[first] >>> Integer.SIZE);
        end = first + 1;
        while (end < count && (int) (keys[end] >>> Integer.SIZE) == item) {
          end++;
        }
        if (end - first > 1 && rules.duplicates() == DuplicatePolicy.REJECT) {
          throw rejection.of(user, item);
        }
        int winner = winner(first, end);
        if (end - first > 1) {
          countDuplicates(first, end, winner);
        }
        if (!fields.ratings() || rules.positive().accepts(ratingAt(winner))) {
          keep(kept++, item, winner);
        } else {
          negativeItems[negatives++] = item;
        }
      }
      for (int k = 0; k < kept; k++) {
        store(start + k, k);
      }
      for (int k = 0; k < negatives; k++) {
        setItem(start + kept + k, negativeItems[k]);
      }
      return kept;
    }

    /** Return the position of the rating that counts among those of one cell. */
    private int winner(int first, int end) {
      return switch (rules.duplicates()) {
        case FIRST, REJECT -> position(first);
        case LAST -> position(end - 1);
        case HIGHEST -> {
          int best = position(first);
          for (int k = first + 1; k < end; k++) {
            if (beats(position(k), best)) {
              best = position(k);
            }
          }
          yield best;
        }
      };
    }

    private int position(int k) {
      return start + (int) keys[k];
    }

    /** Return whether a rating is higher than one before it, or equal and not earlier in time. */
    private boolean beats(int later, int earlier) {
      int byRating = fields.ratings() ? Float.compare(ratingAt(later), ratingAt(earlier)) : 0;
      if (byRating != 0) {
        return byRating > 0;
      }
      return !fields.times() || timeAt(later) >= timeAt(earlier);
    }

    private void countDuplicates(int first, int end, int winner) {
      duplicates += end - first - 1;
      for (int k = first; fields.parts() && k < end; k++) {
        acrossParts += partAt(position(k)) == partAt(winner) ? 0 : 1;
      }
    }

    private void keep(int k, int item, int position) {
      keptItems[k] = item;
      if (fields.times()) {
        keptTimes[k] = timeAt(position);
      }
      if (fields.parts()) {
        keptParts[k] = partAt(position);
      }
    }

    private void store(int position, int k) {
      setItem(position, keptItems[k]);
      if (fields.times()) {
        setTime(position, keptTimes[k]);
      }
      if (fields.parts()) {
        parts.set(position, keptParts[k]);
      }
    }
  }
}
