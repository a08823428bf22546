package org.pecf.plugin.backend.cpu.ranking;

import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.compute.RankedItems;
import org.pecf.api.compute.RankingRequest;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Parallelism;
import org.pecf.backend.algebra.Worker;
import org.pecf.backend.field.Window;
import org.pecf.plugin.backend.cpu.field.FieldProgram;
import org.pecf.plugin.backend.cpu.field.ScoreStore;
import org.pecf.plugin.backend.cpu.field.TileEvaluator;

/** A search for the highest-scored items of users, tile by tile, without storing all scores. */
public final class CpuRanker {
  private final GridShape shape;
  private final BufferAllocator allocator;
  private final ScoreStore store;
  private final Parallelism parallelism;
  private final Worker[] workers;

  public CpuRanker(
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
      parallelism.forEach(
          TileEvaluator.blocks(request.users()),
          (block, number) ->
              rankBlock(
                  program,
                  request,
                  workers[number],
                  TileEvaluator.block(block, request.users(), shape.items()),
                  ranked));
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
      Window block,
      RankedItems ranked) {
    int firstUser = request.firstUser() + block.firstUser();
    int users = block.users();
    int depth = Math.min(request.depth(), shape.items());
    LeadingItems[] best = new LeadingItems[users];
    boolean needed = false;
    for (int u = 0; u < users; u++) {
      if (request.needs(firstUser + u)) {
        best[u] = new LeadingItems(depth, Math.min(TileEvaluator.ITEMS, shape.items()));
        needed = true;
      }
    }
    if (!needed) {
      return;
    }
    float[] scores = new float[TileEvaluator.ITEMS];
    float[] candidates = new float[TileEvaluator.ITEMS];
    TileEvaluator.visit(
        program,
        worker,
        new Window(firstUser, users, 0, shape.items()),
        (run, firstItem) -> {
          LeadingItems ofUser = best[run.user() - firstUser];
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
        best[u].writeTo(ranked, block.firstUser() + u, items, kept);
      }
    }
  }
}
