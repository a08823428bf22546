package org.pecf.testkit;

import org.apache.arrow.memory.BufferAllocator;
import org.apiguardian.api.API;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;

/**
 * Name data at the edge of what is possible, which everything has to survive.
 *
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum DegenerateGrid {
  /** One user. */
  ONE_USER(1, 6, (user, item) -> item % 2 == 0),
  /** One item. */
  ONE_ITEM(6, 1, (user, item) -> user % 2 == 0),
  /** One user and one item. */
  ONE_CELL(1, 1, (user, item) -> true),
  /** One positive cell among many. */
  LONE_POSITIVE(5, 4, (user, item) -> user == 3 && item == 2),
  /** A user without positives. */
  EMPTY_USER(5, 4, (user, item) -> user != 2 && (user + item) % 2 == 0),
  /** An item without positives. */
  EMPTY_ITEM(5, 4, (user, item) -> item != 1 && (user + item) % 2 == 0),
  /** Nothing but positives. */
  ALL_POSITIVES(5, 4, (user, item) -> true);

  private final GridShape shape;
  private final CellPredicate positive;

  DegenerateGrid(int users, int items, CellPredicate positive) {
    this.shape = new GridShape(users, items);
    this.positive = positive;
  }

  /** Return the grid. */
  public GridShape shape() {
    return shape;
  }

  /** Return the positive cells. */
  public SparseCells positives(BufferAllocator allocator) {
    return TestGrids.cellsWhere(allocator, shape, positive);
  }
}
