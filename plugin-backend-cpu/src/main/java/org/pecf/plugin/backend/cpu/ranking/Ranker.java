package org.pecf.plugin.backend.cpu.ranking;

import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.compute.RankedItems;
import org.pecf.api.compute.RankingRequest;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Parallelism;
import org.pecf.plugin.backend.cpu.algebra.Worker;
import org.pecf.plugin.backend.cpu.field.FieldProgram;
import org.pecf.plugin.backend.cpu.field.ScoreStore;
import org.pecf.plugin.backend.cpu.field.TileEvaluator;

/**
 * Find the highest-scored items of users tile by tile, never holding more than a tile of scores.
 */
public final class Ranker {
  private final GridShape shape;
  private final BufferAllocator allocator;
  private final ScoreStore store;
  private final Parallelism parallelism;
  private final Worker[] workers;

  public Ranker(
      GridShape shape,
      BufferAllocator allocator,
      ScoreStore store,
      Parallelism parallelism,
      Worker[] workers) {
    this.shape = shape;
    this.allocator = allocator;
    this.store = store;
    this.parallelism = parallelism;
    this.workers = workers;
  }

  /** Answer a request. */
  public RankedItems rank(RankingRequest request) {
    int depth = Math.min(request.depth(), shape.items());
    List<CellField> fields =
        request.candidates().isPresent()
            ? List.of(request.scores(), request.candidates().get())
            : List.of(request.scores());
    RankedItems ranked = RankedItems.allocate(allocator, request.users(), depth);
    try (FieldProgram program = FieldProgram.of(fields).join(store)) {
      int tile = TileEvaluator.USERS;
      parallelism.forEach(
          (request.users() + tile - 1) / tile,
          (block, number) -> {
            int first = block * tile;
            int users = Math.min(tile, request.users() - first);
            rankBlock(program, request, workers[number], first, users, depth, ranked);
          });
      return ranked;
    } catch (RuntimeException | Error e) {
      ranked.close();
      throw e;
    }
  }

  private void rankBlock(
      FieldProgram program,
      RankingRequest request,
      Worker worker,
      int first,
      int users,
      int depth,
      RankedItems ranked) {
    int firstUser = request.firstUser() + first;
    BestItems[] best = new BestItems[users];
    boolean needed = false;
    for (int u = 0; u < users; u++) {
      if (request.needs(firstUser + u)) {
        best[u] = new BestItems(depth, Math.min(TileEvaluator.ITEMS, shape.items()));
        needed = true;
      }
    }
    if (!needed) {
      return;
    }
    float[] scores = worker.heap("rank.scores", TileEvaluator.ITEMS);
    float[] candidates = worker.heap("rank.candidates", TileEvaluator.ITEMS);
    TileEvaluator.visit(
        program,
        worker,
        program.run(worker),
        firstUser,
        users,
        0,
        shape.items(),
        (run, firstItem) -> {
          BestItems ofUser = best[run.user() - firstUser];
          if (ofUser == null) {
            return;
          }
          program.evaluate(0, run, scores);
          if (program.fields() > 1) {
            program.evaluate(1, run, candidates);
            for (int p = 0; p < run.count(); p++) {
              scores[p] = candidates[p] == 0 ? Float.NaN : scores[p];
            }
          }
          for (SparseCells cells : request.excluded()) {
            int end = cells.userStart(run.user() + 1);
            int p = cells.lowerBound(run.user(), firstItem);
            for (; p < end && cells.itemAt(p) < firstItem + run.count(); p++) {
              // NaN compares false with everything, so it never enters a list.
              scores[cells.itemAt(p) - firstItem] = Float.NaN;
            }
          }
          ofUser.offer(firstItem, scores, run.count());
        });
    int[] items = new int[depth];
    float[] kept = new float[depth];
    for (int u = 0; u < users; u++) {
      if (best[u] != null) {
        best[u].writeTo(ranked, first + u, items, kept);
      }
    }
  }
}
