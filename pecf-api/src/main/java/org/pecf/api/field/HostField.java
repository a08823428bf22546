package org.pecf.api.field;

import org.apiguardian.api.API;
import org.pecf.api.memory.FloatMatrix;

/**
 * A field whose values a plugin computes on the host from a cell's position.
 *
 * <p>Backends fill tiles by {@link #fill} and go on with them as with any other field. Where the
 * value depends only on other fields, an {@link Apply} of a {@link CellFunction} is simpler and can
 * be faster.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public non-sealed interface HostField extends CellField {
  /**
   * Compute a tile. Called from several threads.
   *
   * @param firstUser the user of the tile's first row
   * @param firstItem the item of the tile's first column
   * @param tile as many rows and columns as cells are wanted. Modified.
   */
  default void fill(int firstUser, int firstItem, FloatMatrix tile) {
    for (int row = 0; row < tile.rows(); row++) {
      for (int column = 0; column < tile.columns(); column++) {
        tile.set(row, column, valueAt(firstUser + row, firstItem + column));
      }
    }
  }

  /** Bound the values; the default knows nothing, which keeps weights on the dense path. */
  @Override
  default ValueRange background(float scoreBound) {
    return ValueRange.UNBOUNDED;
  }
}
