package org.pecf.api.memory;

import org.apache.arrow.memory.BufferAllocator;
import org.apiguardian.api.API;

/**
 * A trained model, which scores every cell of the grid. Immutable once trained.
 *
 * <p>Backends score a {@link FactorModel} natively. Any other model is asked for tiles of scores on
 * the host, from several threads at once; the rest of the computation stays with the backend. A
 * {@link FactorModel} and a {@link SparseProductModel} can be stored; a filter that trains another
 * kind says so by {@link org.pecf.api.filter.FilterCapability#OWN_MODEL}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface ScoreModel extends AutoCloseable {
  /** Return the grid. */
  GridShape shape();

  /** Return the score of one cell: the definition that faster ways are tested against. */
  float scoreAt(int user, int item);

  /**
   * Score a tile of the grid. Called from several threads. Override it where a tile takes less than
   * its cells one by one.
   *
   * @param firstUser the user of the tile's first row
   * @param firstItem the item of the tile's first column
   * @param tile as many rows and columns as cells are wanted. Modified.
   */
  default void fill(int firstUser, int firstItem, FloatMatrix tile) {
    for (int row = 0; row < tile.rows(); row++) {
      for (int column = 0; column < tile.columns(); column++) {
        tile.set(row, column, scoreAt(firstUser + row, firstItem + column));
      }
    }
  }

  /**
   * Score all items for one user. Called from several threads. Override it where a row takes less
   * than its cells one by one; the scores have the bits of {@link #scoreAt}.
   *
   * @param scores one element per item. Modified.
   */
  default void scoreRow(int user, float[] scores) {
    for (int item = 0; item < scores.length; item++) {
      scores[item] = scoreAt(user, item);
    }
  }

  /**
   * Return the model for somebody who may only read it, who can neither change nor close it. The
   * default, for models of a kind that only its plugin knows, is the model itself.
   */
  default ScoreModel lent() {
    return this;
  }

  /** Hand the memory to another allocator without copying; this model is closed. */
  ScoreModel transferTo(BufferAllocator target);

  @Override
  void close();
}
