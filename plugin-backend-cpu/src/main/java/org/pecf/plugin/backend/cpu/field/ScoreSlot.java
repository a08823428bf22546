package org.pecf.plugin.backend.cpu.field;

import java.util.Arrays;
import java.util.Objects;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;
import org.pecf.api.memory.FactorModel;
import org.pecf.backend.algebra.DotProduct;
import org.pecf.backend.algebra.FloatSlice;
import org.pecf.backend.algebra.MatrixSlice;
import org.pecf.backend.algebra.OffHeapFloats;
import org.pecf.backend.algebra.Worker;
import org.pecf.backend.field.ScoreCombination;
import org.pecf.backend.field.Window;

/**
 * One combination of scores in a program: read from a store, computed from joined factors, or
 * computed model by model.
 */
public final class ScoreSlot implements AutoCloseable {
  private final ScoreCombination combination;
  private final int rank;

  /** The item factors of all models side by side, times their coefficients; or null. */
  private @Nullable OffHeapFloats joined;

  /** The store that holds the combination or its negative; or null. */
  private @Nullable ScoreStore store;

  private int sign;

  ScoreSlot(ScoreCombination combination) {
    this.combination = combination;
    this.rank = combination.models().stream().mapToInt(FactorModel::rank).sum();
  }

  /** Return the models and their coefficients. */
  public ScoreCombination combination() {
    return combination;
  }

  /** Read scores from a store if it holds them. */
  void recall(ScoreStore from) {
    sign = from.signOf(combination);
    store = sign == 0 ? null : from;
  }

  /**
   * Join the item factors of several models, so that their scores are one product, if memory allows
   * and no store holds the scores.
   */
  void join(BufferAllocator allocator) {
    if (combination.size() < 2 || joined != null || store != null) {
      return;
    }
    int items = combination.model(0).items().rows();
    long floats = (long) items * rank;
    if (floats * Float.BYTES > allocator.getHeadroom() / 4) {
      return;
    }
    joined = OffHeapFloats.allocate(allocator, floats);
    float[] row = new float[rank];
    int at = 0;
    for (int k = 0; k < combination.size(); k++) {
      FactorModel model = combination.model(k);
      float coefficient = combination.coefficient(k);
      for (int item = 0; item < items; item++) {
        model.items().readRow(item, row);
        for (int c = 0; c < model.rank(); c++) {
          row[c] *= coefficient;
        }
        joined.write((long) item * rank + at, row, 0, model.rank());
      }
      at += model.rank();
    }
  }

  /** Release joined factors. */
  @Override
  public void close() {
    if (joined != null) {
      joined.close();
      joined = null;
    }
  }

  /** Join the factors of some users, if those of the items are joined. */
  void moveTo(FieldScratch scratch, int slot, int firstUser, int users) {
    if (joined == null) {
      return;
    }
    FloatSlice panel = scratch.userPanel(slot, (long) users * rank);
    int at = 0;
    for (FactorModel model : combination.models()) {
      FloatSlice rows = FloatSlice.rows(model.users(), firstUser, users);
      for (int u = 0; u < users; u++) {
        rows.copyTo((long) u * model.rank(), panel, (long) u * rank + at, model.rank());
      }
      at += model.rank();
    }
  }

  /**
   * Compute the scores of a tile of the users {@linkplain #moveTo moved to}.
   *
   * @return the tile, to be {@linkplain #read read} by row; null if a store holds the scores
   */
  @Nullable OffHeapFloats fill(Worker worker, FieldScratch scratch, int slot, Window window) {
    if (store != null) {
      return null;
    }
    OffHeapFloats tile = scratch.scoreTile(slot);
    MatrixSlice target =
        MatrixSlice.of(tile.slice(0, window.cells()), window.users(), window.items());
    if (joined != null) {
      FloatSlice panel = scratch.userPanel(slot, (long) window.users() * rank);
      FloatSlice items =
          joined.slice((long) window.firstItem() * rank, (long) window.items() * rank);
      worker
          .algebra()
          .multiply(
              1,
              MatrixSlice.of(panel, window.users(), rank),
              MatrixSlice.of(items, window.items(), rank).transpose(),
              0,
              target);
    } else {
      add(worker, 0, 0, window, target);
    }
    return tile;
  }

  /**
   * Add the scores of models to a tile.
   *
   * @param first the first of the models to add
   * @param scale the factor by which the tile is multiplied before
   * @param target the tile. Modified.
   */
  void add(Worker worker, int first, float scale, Window window, MatrixSlice target) {
    for (int k = first; k < combination.size(); k++) {
      FactorModel model = combination.model(k);
      worker
          .algebra()
          .multiply(
              combination.coefficient(k),
              MatrixSlice.rows(model.users(), window.firstUser(), window.users()),
              MatrixSlice.rows(model.items(), window.firstItem(), window.items()).transpose(),
              k == first ? scale : 1,
              target);
    }
  }

  /**
   * Copy the scores of one row of a tile.
   *
   * @param tile the result of {@link #fill}
   * @param row the row of the tile
   * @param scores Modified.
   */
  void read(@Nullable OffHeapFloats tile, Window window, int row, float[] scores) {
    if (tile != null) {
      tile.read((long) row * window.items(), scores, 0, window.items());
      return;
    }
    Objects.requireNonNull(store)
        .read(window.firstUser() + row, window.firstItem(), window.items(), scores);
    if (sign < 0) {
      for (int p = 0; p < window.items(); p++) {
        scores[p] = -scores[p];
      }
    }
  }

  /**
   * Compute the scores of some items of one user.
   *
   * @param items the items. Not modified.
   * @param scores receives the scores. Modified.
   */
  void at(int user, int[] items, int count, float[] scores) {
    if (store != null) {
      for (int p = 0; p < count; p++) {
        scores[p] = sign * store.at(user, items[p]);
      }
      return;
    }
    Arrays.fill(scores, 0, count, 0);
    for (int k = 0; k < combination.size(); k++) {
      FactorModel model = combination.model(k);
      float coefficient = combination.coefficient(k);
      int width = model.rank();
      float[] left = new float[width];
      float[] right = new float[width];
      model.users().readRow(user, left);
      OffHeapFloats rows = OffHeapFloats.borrow(model.items());
      for (int p = 0; p < count; p++) {
        rows.read((long) items[p] * width, right, 0, width);
        scores[p] += coefficient * DotProduct.of(left, right, width);
      }
    }
  }
}
