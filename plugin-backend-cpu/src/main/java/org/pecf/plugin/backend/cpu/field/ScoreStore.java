package org.pecf.plugin.backend.cpu.field;

import java.util.Objects;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.GridShape;
import org.pecf.api.run.Parallelism;
import org.pecf.backend.algebra.MatrixSlice;
import org.pecf.backend.algebra.OffHeapFloats;
import org.pecf.backend.algebra.Worker;
import org.pecf.backend.field.ScoreCombination;
import org.pecf.backend.field.Window;

/**
 * The scores of one combination of models at every cell, kept where memory allows.
 *
 * <p>A combination that continues the kept one, with the same models in the same proportions and
 * some more at the end, costs one product per new model: {@code F = s F + c U V'}. So a pass over
 * all cells takes the same time for any number of members.
 */
public final class ScoreStore implements AutoCloseable {
  /** The scores may take one part in this many of the free memory: weights, targets as much. */
  private static final int SHARE = 4;

  private final GridShape shape;
  private final BufferAllocator allocator;
  private final Parallelism parallelism;
  private final Worker[] workers;
  private @Nullable ScoreCombination kept;
  private @Nullable OffHeapFloats scores;

  public ScoreStore(
      GridShape shape, BufferAllocator allocator, Parallelism parallelism, Worker[] workers) {
    this.shape = shape;
    this.allocator = allocator;
    this.parallelism = parallelism;
    this.workers = workers;
  }

  /** Return the source of memory. */
  BufferAllocator allocator() {
    return allocator;
  }

  /** Keep a combination of scores in place of the one kept so far. */
  public void keep(CellField field) {
    ScoreCombination wanted = ScoreCombination.ofScores(field).orElse(null);
    if (wanted == null || kept != null && wanted.signTo(kept) == 1) {
      return;
    }
    if (scores == null) {
      if (shape.cells() * Float.BYTES > allocator.getHeadroom() / SHARE) {
        return;
      }
      scores = OffHeapFloats.allocate(allocator, shape.cells());
    }
    int known = 0;
    float scale = 0;
    if (kept != null && kept.isContinuedBy(wanted)) {
      known = kept.size();
      scale = wanted.coefficient(0) / kept.coefficient(0);
    }
    // If the update fails halfway, the scores are of no use.
    kept = null;
    add(wanted, known, scale);
    kept = wanted;
  }

  private void add(ScoreCombination wanted, int known, float scale) {
    ScoreSlot slot = new ScoreSlot(wanted);
    parallelism.forEach(
        TileEvaluator.blocks(shape.users()),
        (block, number) -> {
          Window users = TileEvaluator.block(block, shape.users(), shape.items());
          for (int item = 0; item < shape.items(); item += TileEvaluator.ITEMS) {
            int items = Math.min(TileEvaluator.ITEMS, shape.items() - item);
            Window window = new Window(users.firstUser(), users.users(), item, items);
            slot.add(workers[number], known, scale, window, tile(window));
          }
        });
  }

  private MatrixSlice tile(Window window) {
    long start = index(window.firstUser(), window.firstItem());
    long length = (window.users() - 1L) * shape.items() + window.items();
    return MatrixSlice.of(
        scores().slice(start, length), window.users(), window.items(), shape.items());
  }

  private OffHeapFloats scores() {
    return Objects.requireNonNull(scores);
  }

  private long index(int user, int item) {
    return (long) user * shape.items() + item;
  }

  /** Return whether a combination, or its negative, is kept. */
  public boolean keeps(ScoreCombination combination) {
    return signOf(combination) != 0;
  }

  /** Return 1 or -1 if a combination is the kept one or its negative, else 0. */
  int signOf(ScoreCombination combination) {
    return kept == null ? 0 : combination.signTo(kept);
  }

  /**
   * Copy kept scores of consecutive items of a user.
   *
   * @param target Modified.
   */
  void read(int user, int firstItem, int items, float[] target) {
    scores().read(index(user, firstItem), target, 0, items);
  }

  /** Return a kept score. */
  float at(int user, int item) {
    return scores().slice(index(user, item), 1).get(0);
  }

  @Override
  public void close() {
    kept = null;
    if (scores != null) {
      scores.close();
      scores = null;
    }
  }
}
