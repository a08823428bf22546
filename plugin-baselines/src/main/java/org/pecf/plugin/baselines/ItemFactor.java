package org.pecf.plugin.baselines;

import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;

/**
 * A model of one factor, which is one for all users: the score of an item, the same for them all.
 */
final class ItemFactor {
  private ItemFactor() {}

  /** Allocate a model whose items have a score of zero. */
  static FactorModel allocate(BufferAllocator allocator, GridShape shape) {
    FactorModel model = FactorModel.allocate(allocator, shape, 1);
    for (int user = 0; user < shape.users(); user++) {
      model.users().set(user, 0, 1);
    }
    return model;
  }

  /** Return the memory that such a model takes. */
  static long bytes(GridShape shape) {
    return FloatMatrix.bytes(shape.users(), 1) + FloatMatrix.bytes(shape.items(), 1);
  }
}
