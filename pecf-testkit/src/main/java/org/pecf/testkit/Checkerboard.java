package org.pecf.testkit;

import org.apache.arrow.memory.BufferAllocator;
import org.apiguardian.api.API;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.SparseCells;

/**
 * Be the simplest data with something to learn: even users like even items, odd users odd ones, and
 * one such item of every user is held out.
 *
 * @param size how many users, and as many items; even
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Checkerboard(int size) {
  public Checkerboard {
    if (size < 4 || size % 2 != 0) {
      throw new IllegalArgumentException("a checkerboard cannot have the size " + size);
    }
  }

  /** Return the grid. */
  public GridShape shape() {
    return new GridShape(size, size);
  }

  /** Return whether the user likes the item. */
  public boolean liked(int user, int item) {
    return (user + item) % 2 == 0;
  }

  /** Return the liked cells but the diagonal. */
  public SparseCells training(BufferAllocator allocator) {
    return TestGrids.cellsWhere(
        allocator, shape(), (user, item) -> liked(user, item) && user != item);
  }

  /** Return the diagonal: one liked item of every user, not in the training cells. */
  public SparseCells heldOut(BufferAllocator allocator) {
    return TestGrids.cellsWhere(allocator, shape(), (user, item) -> user == item);
  }

  /**
   * Return how often a model scores a user's held-out item above an item the user does not like,
   * draws counting half: 0.5 is chance, 1 is perfect.
   */
  public double accuracy(ScoreModel model) {
    double wins = 0;
    for (int user = 0; user < size; user++) {
      float heldOut = model.scoreAt(user, user);
      for (int item = 0; item < size; item++) {
        if (!liked(user, item)) {
          float other = model.scoreAt(user, item);
          wins += heldOut > other ? 1 : heldOut == other ? 0.5 : 0;
        }
      }
    }
    return wins / (size * size / 2.0);
  }
}
