package org.pecf.plugin.backend.cpu.field;

import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Linear;
import org.pecf.api.memory.GridShape;
import org.pecf.api.run.Parallelism;
import org.pecf.plugin.backend.cpu.algebra.NativeFloats;
import org.pecf.plugin.backend.cpu.algebra.Worker;

/**
 * Keep what one combination of models scores at every cell, where there is memory for it.
 *
 * <p>A combination that goes on from the kept one, with the same models in the same proportions and
 * some more at the end, costs one product for each model that is new: {@code F = s F + c U V'}. So
 * a pass over all cells takes the same time however many members an ensemble has.
 */
public final class ScoreStore implements AutoCloseable {
  /** What part of the memory that is left the scores may take: weights and targets take as much. */
  private static final int SHARE = 4;

  /** How far apart, relatively, proportions may be that are meant to be the same. */
  private static final float ROUNDING = 1e-5f;

  private final GridShape shape;
  private final BufferAllocator allocator;
  private final Parallelism parallelism;
  private final Worker[] workers;
  private ScoreSlot kept;
  private NativeFloats scores;

  public ScoreStore(
      GridShape shape, BufferAllocator allocator, Parallelism parallelism, Worker[] workers) {
    this.shape = shape;
    this.allocator = allocator;
    this.parallelism = parallelism;
    this.workers = workers;
  }

  /** Return where memory comes from. */
  BufferAllocator allocator() {
    return allocator;
  }

  /** Keep a combination of scores in place of the one kept so far. */
  public void keep(CellField field) {
    ScoreSlot wanted = combination(field);
    if (wanted == null || kept != null && wanted.signTo(kept) == 1) {
      return;
    }
    if (scores == null) {
      if (shape.cells() * Float.BYTES > allocator.getHeadroom() / SHARE) {
        return;
      }
      scores = NativeFloats.allocate(allocator, shape.cells());
    }
    int known = kept == null ? 0 : kept.continuedBy(wanted, ROUNDING);
    float scale = known == 0 ? 0 : wanted.coefficient(0) / kept.coefficient(0);
    // Of no use should what follows not come to its end.
    kept = null;
    add(wanted, known, scale);
    kept = wanted;
  }

  private static ScoreSlot combination(CellField field) {
    List<Linear.Term> terms =
        field instanceof Linear linear ? linear.terms() : List.of(new Linear.Term(1, field));
    ScoreSlot slot = ScoreSlot.of(terms);
    return slot.models().isEmpty() || slot.models().size() < terms.size() ? null : slot;
  }

  private void add(ScoreSlot wanted, int known, float scale) {
    int blocks = (shape.users() + TileEvaluator.USERS - 1) / TileEvaluator.USERS;
    parallelism.forEach(
        blocks,
        (block, number) -> {
          int first = block * TileEvaluator.USERS;
          int users = Math.min(TileEvaluator.USERS, shape.users() - first);
          for (int item = 0; item < shape.items(); item += TileEvaluator.ITEMS) {
            int items = Math.min(TileEvaluator.ITEMS, shape.items() - item);
            long target = scores.address(index(first, item));
            wanted.add(
                workers[number], known, scale, first, users, item, items, target, shape.items());
          }
        });
  }

  private long index(int user, int item) {
    return (long) user * shape.items() + item;
  }

  /** Return whether a combination, or its negative, is kept. */
  public boolean keeps(ScoreSlot slot) {
    return signOf(slot) != 0;
  }

  /** Return 1 or -1 if a combination is the kept one or its negative, else 0. */
  int signOf(ScoreSlot slot) {
    return kept == null ? 0 : slot.signTo(kept);
  }

  /**
   * Copy kept scores of consecutive items of a user.
   *
   * @param target Modified.
   */
  void read(int user, int firstItem, int items, float[] target) {
    scores.read(index(user, firstItem), target, 0, items);
  }

  /** Return a kept score. */
  float at(int user, int item) {
    return NativeFloats.at(scores.address(index(user, item)), 0);
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
