package org.pecf.plugin.backend.cpu.pairwise;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.pecf.api.compute.PairwiseRequest;
import org.pecf.api.field.PartMask;
import org.pecf.backend.pairwise.BarredItems;

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
  private final @Nullable PartMask candidates;

  private BarredCells(int[] starts, int[] items, @Nullable PartMask mask) {
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

  /** Collect the items that a request bars. */
  static BarredCells of(PairwiseRequest request) {
    BarredItems barred = BarredItems.of(request);
    return new BarredCells(barred.starts(), barred.items(), request.candidates().orElse(null));
  }

  /** Return the most bytes that a request's barred cells take. */
  static long bytes(PairwiseRequest request) {
    return BarredItems.most(request) * (Integer.BYTES + 2)
        + request.positives().users() * (2L * Integer.BYTES + 8);
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
