package org.pecf.api.memory;

import org.apache.arrow.memory.BufferAllocator;
import org.apiguardian.api.API;

/**
 * A model that scores a cell by the dot product of the factors of its user and its item: {@code
 * users_i . items_j}.
 *
 * @param users one row of factors per user
 * @param items one row of factors per item, with as many columns
 * @param rules how rows that the model was not trained on are taken in
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record FactorModel(FloatMatrix users, FloatMatrix items, RowRules rules)
    implements ScoreModel {
  public FactorModel {
    if (users.columns() != items.columns()) {
      throw new IllegalArgumentException(
          "users have " + users.columns() + " factors, items " + items.columns());
    }
  }

  /** Take two matrices as a model that takes in new rows by the best fit. */
  public FactorModel(FloatMatrix users, FloatMatrix items) {
    this(users, items, RowRules.BEST_FIT);
  }

  /** Allocate a model of zero factors. */
  public static FactorModel allocate(BufferAllocator allocator, GridShape shape, int rank) {
    FloatMatrix users = FloatMatrix.allocate(allocator, shape.users(), rank);
    try {
      return new FactorModel(users, FloatMatrix.allocate(allocator, shape.items(), rank));
    } catch (RuntimeException e) {
      users.close();
      throw e;
    }
  }

  /** Return the same factors with other rules; only one of both is to be closed. */
  public FactorModel withRules(RowRules changed) {
    return new FactorModel(users, items, changed);
  }

  @Override
  public FactorModel lent() {
    return new FactorModel(users.lent(), items.lent(), rules);
  }

  /** Return the number of factors. */
  public int rank() {
    return users.columns();
  }

  /** Return the factors of one side. */
  public FloatMatrix side(Side side) {
    return side == Side.USERS ? users : items;
  }

  @Override
  public GridShape shape() {
    return new GridShape(users.rows(), items.rows());
  }

  @Override
  public float scoreAt(int user, int item) {
    float sum = 0;
    for (int k = 0; k < rank(); k++) {
      sum += users.get(user, k) * items.get(item, k);
    }
    return sum;
  }

  @Override
  public FactorModel transferTo(BufferAllocator target) {
    return new FactorModel(users.transferTo(target), items.transferTo(target), rules);
  }

  @Override
  public void close() {
    users.close();
    items.close();
  }
}
