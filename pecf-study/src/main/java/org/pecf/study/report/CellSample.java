package org.pecf.study.report;

import java.util.SplittableRandom;
import org.pecf.api.memory.SparseCells;

/**
 * Some training cells of a grid: positives and zeros, each kind drawn with equal probability.
 *
 * @param users the user of each cell, positives first
 * @param items the item of each cell
 * @param positives the number of positives among them
 * @param positiveShare how many training positives each positive stands for
 * @param zeroShare how many zeros each zero stands for
 */
record CellSample(int[] users, int[] items, int positives, double positiveShare, double zeroShare) {
  private static final int MOST_POSITIVES = 10_000;
  private static final int ZEROS = 20_000;

  /** Draw cells, the same ones for the same training positives. */
  static CellSample of(SparseCells training) {
    return of(training, ZEROS);
  }

  /**
   * Draw cells, the same ones for the same training positives.
   *
   * @param most how many zeros at most
   */
  static CellSample of(SparseCells training, int most) {
    SplittableRandom random = new SplittableRandom(1);
    int positives = Math.min(training.count(), MOST_POSITIVES);
    long cells = (long) training.users() * training.items();
    int zeros = (int) Math.min(most, cells - training.count());
    int[] users = new int[positives + zeros];
    int[] items = new int[positives + zeros];
    for (int k = 0; k < positives; k++) {
      int position = (int) ((long) k * training.count() / positives);
      users[k] = userAt(training, position);
      items[k] = training.itemAt(position);
    }
    for (int k = positives; k < positives + zeros; ) {
      int user = random.nextInt(training.users());
      int item = random.nextInt(training.items());
      if (!training.contains(user, item)) {
        users[k] = user;
        items[k] = item;
        k++;
      }
    }
    return new CellSample(
        users,
        items,
        positives,
        positives == 0 ? 0 : training.count() / (double) positives,
        zeros == 0 ? 0 : (cells - training.count()) / (double) zeros);
  }

  private static int userAt(SparseCells cells, int position) {
    int low = 0;
    int high = cells.users() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (cells.userStart(middle) <= position) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  int size() {
    return users.length;
  }

  double rating(int cell) {
    return cell < positives ? 1 : 0;
  }

  /** Return how many cells of the grid a cell stands for. */
  double share(int cell) {
    return cell < positives ? positiveShare : zeroShare;
  }
}
