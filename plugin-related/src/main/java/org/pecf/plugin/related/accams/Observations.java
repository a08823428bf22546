package org.pecf.plugin.related.accams;

import java.util.SplittableRandom;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;
import org.pecf.api.PecfException;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Parallelism;
import org.pecf.api.run.Seed;

/**
 * The cells that stencils are fitted to: the positives and a random share of the others, each with
 * its weight and the residual of its target.
 *
 * <p>Weights of the others are divided by their share, so that sums over the sample are unbiased
 * for sums over all cells: with confidences 1 : 0.01, a hundredth of the zeros counts one each. A
 * larger share costs more time and memory and ranks better.
 */
final class Observations implements AutoCloseable {
  /** The share of positives for which memory is estimated; few data sets have more. */
  private static final double ASSUMED_DENSITY = 0.05;

  private static final int BYTES_PER_CELL = 3 * Float.BYTES + 2 * Integer.BYTES;
  private static final int USERS_PER_TASK = 256;

  private final SparseCells cells;
  private final ArrowBuf weights;
  private final ArrowBuf residuals;
  private final ArrowBuf cellsByItem;

  private Observations(
      SparseCells cells, ArrowBuf weights, ArrowBuf residuals, ArrowBuf cellsByItem) {
    this.cells = cells;
    this.weights = weights;
    this.residuals = residuals;
    this.cellsByItem = cellsByItem;
  }

  /** Estimate the bytes of the observations of a grid, whose number of positives is unknown. */
  static long bytes(GridShape shape, double share) {
    double observed = Math.ceil(shape.cells() * Math.min(1, share + ASSUMED_DENSITY));
    return (long) observed * BYTES_PER_CELL + ((long) shape.users() + shape.items() + 2) * 4;
  }

  /**
   * Draw the cells of a task and read their weights and targets.
   *
   * @param share the share of the cells outside the positives, up to 1
   */
  static Observations sample(TrainingTask task, TrainingContext context, double share) {
    BufferAllocator allocator = context.run().allocator();
    SparseCells cells =
        drawCells(allocator, task.positives(), context.seed().child("negatives"), share);
    ArrowBuf weights = null;
    ArrowBuf residuals = null;
    ArrowBuf cellsByItem = null;
    try {
      long bytes = Math.max(1L, (long) cells.count() * Float.BYTES);
      weights = allocator.buffer(bytes);
      residuals = allocator.buffer(bytes);
      cellsByItem = allocator.buffer(bytes);
      context.compute().fields().gather(task.weights(), cells, weights);
      context.compute().fields().gather(task.targets(), cells, residuals);
      weighUp(cells, task.positives(), weights, share);
      orderByItem(cells, cellsByItem);
      return new Observations(cells, weights, residuals, cellsByItem);
    } catch (RuntimeException | Error e) {
      for (ArrowBuf buffer : new ArrowBuf[] {cellsByItem, residuals, weights}) {
        if (buffer != null) {
          buffer.close();
        }
      }
      cells.close();
      throw e;
    }
  }

  private static SparseCells drawCells(
      BufferAllocator allocator, SparseCells positives, Seed seed, double share) {
    int users = positives.users();
    ArrowBuf starts = allocator.buffer((users + 1L) * Integer.BYTES);
    ArrowBuf items = null;
    try {
      // Drawn twice, first to determine the memory.
      long count = 0;
      for (int user = 0; user < users; user++) {
        starts.setInt((long) user * Integer.BYTES, (int) count);
        count += drawUser(positives, user, seed, share, null, 0);
        if (count > Integer.MAX_VALUE) {
          throw PecfException.resources(
              "The positives and a share of %s of the other cells are more than 2^31 - 1 cells."
                  + " Lower the option negatives.",
              share);
        }
      }
      starts.setInt((long) users * Integer.BYTES, (int) count);
      items = allocator.buffer(Math.max(1L, count * Integer.BYTES));
      for (int user = 0; user < users; user++) {
        drawUser(positives, user, seed, share, items, starts.getInt((long) user * Integer.BYTES));
      }
    } catch (RuntimeException | Error e) {
      starts.close();
      if (items != null) {
        items.close();
      }
      throw e;
    }
    return SparseCells.ofUserOrder(allocator, users, positives.items(), starts, items);
  }

  /**
   * Draw the cells of a user.
   *
   * @param target receives their items, or null to only count them. Modified.
   * @return the number of cells
   */
  private static int drawUser(
      SparseCells positives,
      int user,
      Seed seed,
      double share,
      @Nullable ArrowBuf target,
      int position) {
    SplittableRandom random = seed.child("user", user).random();
    int next = positives.userStart(user);
    int end = positives.userStart(user + 1);
    int count = 0;
    long drawn = gap(random, share);
    while (next < end || drawn < positives.items()) {
      int positive = next < end ? positives.itemAt(next) : Integer.MAX_VALUE;
      int item = (int) Math.min(positive, drawn);
      if (item == positive) {
        next++;
      }
      if (item == drawn) {
        drawn += 1 + gap(random, share);
      }
      if (target != null) {
        target.setInt((long) (position + count) * Integer.BYTES, item);
      }
      count++;
    }
    return count;
  }

  /** Return the number of cells to skip before the next one. */
  private static long gap(SplittableRandom random, double share) {
    return share >= 1
        ? 0
        : (long)
            Math.min(
                Integer.MAX_VALUE,
                StrictMath.log(1 - random.nextDouble()) / StrictMath.log1p(-share));
  }

  private static void weighUp(
      SparseCells cells, SparseCells positives, ArrowBuf weights, double share) {
    for (int user = 0; user < cells.users(); user++) {
      int next = positives.userStart(user);
      int end = positives.userStart(user + 1);
      for (int cell = cells.userStart(user); cell < cells.userStart(user + 1); cell++) {
        if (next < end && positives.itemAt(next) == cells.itemAt(cell)) {
          next++;
        } else {
          long offset = (long) cell * Float.BYTES;
          weights.setFloat(offset, (float) (weights.getFloat(offset) / share));
        }
      }
    }
  }

  private static void orderByItem(SparseCells cells, ArrowBuf cellsByItem) {
    int[] next = new int[cells.items()];
    for (int item = 0; item < next.length; item++) {
      next[item] = cells.itemStart(item);
    }
    for (int cell = 0; cell < cells.count(); cell++) {
      cellsByItem.setInt((long) next[cells.itemAt(cell)]++ * Integer.BYTES, cell);
    }
  }

  /** Return the number of users or items. */
  int count(Side side) {
    return side == Side.USERS ? cells.users() : cells.items();
  }

  /** Return the place of the first cell of a user or an item. */
  int start(Side side, int row) {
    return side == Side.USERS ? cells.userStart(row) : cells.itemStart(row);
  }

  /** Return the item of a user's cell, or the user of an item's cell. */
  int other(Side side, int place) {
    return side == Side.USERS ? cells.itemAt(place) : cells.userAt(place);
  }

  /** Return the number of the cell at a place of a user's or an item's cells. */
  int cell(Side side, int place) {
    return side == Side.USERS ? place : cellsByItem.getInt((long) place * Integer.BYTES);
  }

  /** Return the weight of a cell. */
  float weight(int cell) {
    return weights.getFloat((long) cell * Float.BYTES);
  }

  /** Return the residual of a cell. */
  float residual(int cell) {
    return residuals.getFloat((long) cell * Float.BYTES);
  }

  /** Return the sum of all weights. */
  double totalWeight() {
    double sum = 0;
    for (int cell = 0; cell < cells.count(); cell++) {
      sum += weight(cell);
    }
    return sum;
  }

  /** Return the weighted sum of the squared residuals, in an order that only the grid decides. */
  double squares(Parallelism parallelism) {
    int tasks = tasks();
    double[] sums = new double[tasks];
    parallelism.forEach(
        tasks,
        (index, worker) -> {
          double sum = 0;
          int end = cells.userStart(lastUser(index));
          for (int cell = cells.userStart(index * USERS_PER_TASK); cell < end; cell++) {
            double residual = residual(cell);
            sum += weight(cell) * residual * residual;
          }
          sums[index] = sum;
        });
    double total = 0;
    for (double sum : sums) {
      total += sum;
    }
    return total;
  }

  /**
   * Add a multiple of a stencil to the residuals: +1 removes it from the prediction, -1 adds it.
   */
  void add(double multiple, Stencil stencil, Parallelism parallelism) {
    parallelism.forEach(
        tasks(),
        (index, worker) -> {
          for (int user = index * USERS_PER_TASK; user < lastUser(index); user++) {
            for (int cell = cells.userStart(user); cell < cells.userStart(user + 1); cell++) {
              double value = multiple * stencil.valueAt(user, cells.itemAt(cell));
              residuals.setFloat((long) cell * Float.BYTES, (float) (residual(cell) + value));
            }
          }
        });
  }

  private int tasks() {
    return (cells.users() + USERS_PER_TASK - 1) / USERS_PER_TASK;
  }

  private int lastUser(int task) {
    return Math.min(cells.users(), (task + 1) * USERS_PER_TASK);
  }

  @Override
  public void close() {
    cells.close();
    weights.close();
    residuals.close();
    cellsByItem.close();
  }
}
