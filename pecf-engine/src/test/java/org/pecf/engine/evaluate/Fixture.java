package org.pecf.engine.evaluate;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.pecf.api.field.CellField;
import org.pecf.api.field.CellPartition;
import org.pecf.api.field.Score;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.engine.data.split.Split;

/** Build splits and scores from plain arrays; closing it fails on a leak. */
final class Fixture implements AutoCloseable {
  final BufferAllocator allocator = new RootAllocator();
  private final List<Runnable> owned = new ArrayList<>();

  /** Make cells from a grid of part numbers: those of one number. */
  SparseCells cells(int[][] grid, int number) {
    int users = grid.length;
    int items = grid[0].length;
    int[] cellUsers = new int[users * items];
    int[] cellItems = new int[users * items];
    int count = 0;
    for (int user = 0; user < users; user++) {
      for (int item = 0; item < items; item++) {
        if (grid[user][item] == number) {
          cellUsers[count] = user;
          cellItems[count++] = item;
        }
      }
    }
    return SparseCells.ofSorted(allocator, users, items, count, cellUsers, cellItems);
  }

  /** Make a split from a grid of part numbers; -1 is a zero. */
  Split split(int[][] grid, Optional<CellPartition> partition) {
    Split split = new Split(cells(grid, 0), cells(grid, 1), cells(grid, 2), partition);
    owned.add(split::close);
    return split;
  }

  /** Make a model with exactly the given scores: user factors are scores, item factors unit. */
  CellField scores(float[][] scores) {
    int items = scores[0].length;
    FactorModel model = FactorModel.allocate(allocator, new GridShape(scores.length, items), items);
    for (int user = 0; user < scores.length; user++) {
      model.users().writeRows(user, 1, scores[user]);
    }
    for (int item = 0; item < items; item++) {
      model.items().set(item, item, 1);
    }
    owned.add(model::close);
    return new Score(model);
  }

  /** Make a model that scores every cell zero. */
  CellField zeroScores(GridShape shape) {
    FactorModel model = FactorModel.allocate(allocator, shape, 1);
    owned.add(model::close);
    return new Score(model);
  }

  @Override
  public void close() {
    owned.forEach(Runnable::run);
    allocator.close();
  }
}
