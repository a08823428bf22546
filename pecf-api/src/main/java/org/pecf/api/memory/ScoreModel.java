package org.pecf.api.memory;

import org.apache.arrow.memory.BufferAllocator;
import org.apiguardian.api.API;

/**
 * A trained model, which scores every cell of the grid.
 *
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface ScoreModel extends AutoCloseable permits FactorModel {
  /** Return the grid. */
  GridShape shape();

  /** Return the score of one cell: the definition that faster ways are tested against. */
  float scoreAt(int user, int item);

  /** Hand the memory to another allocator without copying; this model is closed. */
  ScoreModel transferTo(BufferAllocator target);

  @Override
  void close();
}
