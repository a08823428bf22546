package org.pecf.testkit;

import java.util.SplittableRandom;
import org.apache.arrow.memory.BufferAllocator;
import org.apiguardian.api.API;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Seed;

/**
 * Build small cell sets and models.
 *
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class TestGrids {
  private TestGrids() {}

  /** Return the set of all cells that a predicate chooses. */
  public static SparseCells cellsWhere(
      BufferAllocator allocator, GridShape shape, CellPredicate predicate) {
    int[] users = new int[Math.toIntExact(shape.cells())];
    int[] items = new int[users.length];
    int count = 0;
    for (int user = 0; user < shape.users(); user++) {
      for (int item = 0; item < shape.items(); item++) {
        if (predicate.test(user, item)) {
          users[count] = user;
          items[count++] = item;
        }
      }
    }
    return SparseCells.ofSorted(allocator, shape.users(), shape.items(), count, users, items);
  }

  /** Return a set that holds each cell with the given probability. */
  public static SparseCells randomCells(
      BufferAllocator allocator, GridShape shape, double density, long seed) {
    SplittableRandom random = new Seed(seed).child("cells").random();
    return cellsWhere(allocator, shape, (user, item) -> random.nextDouble() < density);
  }

  /** Return a model of normal factors whose scores have a standard deviation of about one. */
  public static FactorModel randomModel(
      BufferAllocator allocator, GridShape shape, int rank, long seed) {
    FactorModel model = FactorModel.allocate(allocator, shape, rank);
    double deviation = Math.pow(rank, -0.25);
    float[] users = new float[shape.users() * rank];
    new Seed(seed).child("users").fillNormal(users, deviation);
    model.users().writeRows(0, shape.users(), users);
    float[] items = new float[shape.items() * rank];
    new Seed(seed).child("items").fillNormal(items, deviation);
    model.items().writeRows(0, shape.items(), items);
    return model;
  }

  /**
   * Return positives with planted groups: user i and item j are of groups i and j modulo the number
   * of groups, and a cell is positive with one probability within a group and another across.
   */
  public static SparseCells planted(
      BufferAllocator allocator,
      GridShape shape,
      int groups,
      double within,
      double across,
      long seed) {
    SplittableRandom random = new Seed(seed).child("planted").random();
    return cellsWhere(
        allocator,
        shape,
        (user, item) -> random.nextDouble() < (user % groups == item % groups ? within : across));
  }
}
