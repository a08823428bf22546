package org.pecf.plugin.backend.cpu.pairwise;

import java.util.Arrays;
import org.pecf.api.compute.PairwiseRequest;
import org.pecf.api.field.PartMask;
import org.pecf.api.memory.SparseCells;

/**
 * The items that must not be drawn as negatives of a user: positives, excluded cells, and cells
 * that are no candidates.
 *
 * <p>Most items that are looked up are not barred. A table of bits per user, about twelve per
 * barred item, shows this in one look for all but a few in a hundred: a barred item sets three bits
 * of one word, and the user's sorted row is searched only if all three are set.
 */
final class BarredCells {
  private static final int BITS_FOR_ITEM = 12;

  private final int[] starts;
  private final int[] items;
  private final int[] tableStarts;
  private final long[] table;
  private final PartMask candidates;

  private BarredCells(int[] starts, int[] items, PartMask mask) {
    this.starts = starts;
    this.items = items;
    int users = starts.length - 1;
    tableStarts = new int[users + 1];
    for (int user = 0; user < users; user++) {
      tableStarts[user + 1] = tableStarts[user] + words(starts[user + 1] - starts[user]);
    }
    table = new long[tableStarts[users]];
    for (int user = 0; user < users; user++) {
      for (int k = starts[user]; k < starts[user + 1]; k++) {
        long hash = hash(items[k]);
        int start = tableStarts[user];
        table[start + word(hash, tableStarts[user + 1] - start)] |= bits(hash);
      }
    }
    candidates = mask;
  }

  /** Collect what a request bars. */
  static BarredCells of(PairwiseRequest request) {
    SparseCells positives = request.positives();
    int users = positives.users();
    long most = positives.count();
    for (SparseCells excluded : request.excluded()) {
      most += excluded.count();
    }
    int[] starts = new int[users + 1];
    int[] items = new int[Math.toIntExact(most)];
    int count = 0;
    for (int user = 0; user < users; user++) {
      int start = count;
      count = append(positives, user, items, count);
      for (SparseCells excluded : request.excluded()) {
        count = append(excluded, user, items, count);
      }
      if (!request.excluded().isEmpty()) {
        Arrays.sort(items, start, count);
        count = dropRepeated(items, start, count);
      }
      starts[user + 1] = count;
    }
    return new BarredCells(starts, items, request.candidates().orElse(null));
  }

  /** Return the bytes that a request's barred cells take at most. */
  static long bytes(PairwiseRequest request) {
    long most = request.positives().count();
    for (SparseCells excluded : request.excluded()) {
      most += excluded.count();
    }
    return most * (Integer.BYTES + 2) + request.positives().users() * (2L * Integer.BYTES + 8);
  }

  private static int append(SparseCells cells, int user, int[] items, int count) {
    int end = cells.userStart(user + 1);
    int next = count;
    for (int k = cells.userStart(user); k < end; k++) {
      items[next++] = cells.itemAt(k);
    }
    return next;
  }

  private static int dropRepeated(int[] items, int start, int end) {
    int kept = start;
    for (int k = start; k < end; k++) {
      if (k == start || items[k] != items[k - 1]) {
        items[kept++] = items[k];
      }
    }
    return kept;
  }

  /** Return the words of the table of a row. */
  private static int words(int barred) {
    return barred * BITS_FOR_ITEM / Long.SIZE + 1;
  }

  private static long hash(int item) {
    return item * 0x9e3779b97f4a7c15L;
  }

  /** Return the word of an item's bits in a table of the given number of words. */
  private static int word(long hash, int words) {
    return (int) ((hash >>> 40) * words >>> 24);
  }

  /** Return the bits of an item within its word: three, some of which may be the same. */
  private static long bits(long hash) {
    return 1L << (hash >>> 34) | 1L << (hash >>> 28) | 1L << (hash >>> 22);
  }

  /** Return whether the item must not be drawn as a negative of the user. */
  boolean contains(int user, int item) {
    long hash = hash(item);
    int start = tableStarts[user];
    long bits = bits(hash);
    if ((table[start + word(hash, tableStarts[user + 1] - start)] & bits) == bits
        && Arrays.binarySearch(items, starts[user], starts[user + 1], item) >= 0) {
      return true;
    }
    return candidates != null && !candidates.contains(user, item);
  }
}
