package org.pecf.backend.pairwise;

import java.util.Arrays;
import org.pecf.api.compute.PairwiseRequest;
import org.pecf.api.memory.SparseCells;

/**
 * The items that must not be drawn as negatives of each user: positives and excluded cells,
 * ascending, each once.
 *
 * @param starts the start of each user's items, and the end of the last user's
 * @param items the items by user; those from the last end on have no meaning
 */
public record BarredItems(int[] starts, int[] items) {
  /** Collect the items that a request bars. */
  public static BarredItems of(PairwiseRequest request) {
    SparseCells positives = request.positives();
    int users = positives.users();
    int[] starts = new int[users + 1];
    int[] items = new int[Math.toIntExact(most(request))];
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
    return new BarredItems(starts, items);
  }

  /** Return the most items that a request bars. */
  public static long most(PairwiseRequest request) {
    long most = request.positives().count();
    for (SparseCells excluded : request.excluded()) {
      most += excluded.count();
    }
    return most;
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
}
