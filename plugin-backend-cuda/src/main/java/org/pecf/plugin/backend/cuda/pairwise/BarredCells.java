package org.pecf.plugin.backend.cuda.pairwise;

import java.util.Arrays;
import org.pecf.api.compute.PairwiseRequest;
import org.pecf.api.memory.SparseCells;

/**
 * List what is not drawn as a negative of each user: positives and excluded cells, ascending.
 *
 * @param starts where each user's items start, and where the last one's end
 * @param items the items by user
 */
record BarredCells(int[] starts, int[] items) {
  /** Collect what a request bars. */
  static BarredCells of(PairwiseRequest request) {
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
      // Repetitions do no harm to a search.
      Arrays.sort(items, start, count);
      starts[user + 1] = count;
    }
    return new BarredCells(starts, items);
  }

  /** Return how many cells a request bars at most. */
  static long most(PairwiseRequest request) {
    long most = request.positives().count();
    for (SparseCells excluded : request.excluded()) {
      most += excluded.count();
    }
    return most;
  }

  private static int append(SparseCells cells, int user, int[] items, int count) {
    int next = count;
    for (int k = cells.userStart(user); k < cells.userStart(user + 1); k++) {
      items[next++] = cells.itemAt(k);
    }
    return next;
  }
}
