package org.pecf.plugin.backend.cpu.leastsquares;

import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.backend.algebra.Worker;
import org.pecf.backend.field.ScoresBeyond;
import org.pecf.backend.field.Window;
import org.pecf.backend.leastsquares.Background;
import org.pecf.plugin.backend.cpu.field.CellRun;
import org.pecf.plugin.backend.cpu.field.FieldProgram;
import org.pecf.plugin.backend.cpu.field.ObservedCells;
import org.pecf.plugin.backend.cpu.field.TileEvaluator;

/**
 * A search for the exceptions to a background: observed cells, and cells scored beyond the bound up
 * to which the background's weight holds.
 */
final class ExceptionFinder {
  private final CpuContext context;
  private final Background background;
  private final GridShape shape;
  private final long most;
  private final FieldProgram program;
  private final int weightSlots;
  private final ObservedCells observed;

  ExceptionFinder(
      CpuContext context, LeastSquaresRequest request, Background background, long most) {
    this.context = context;
    this.background = background;
    this.shape = context.shape();
    this.most = most;
    // Compiled first, the weights' scores take the first slots.
    CellField weights = background.within(request.weights());
    this.weightSlots = FieldProgram.of(weights).slots().size();
    this.program = FieldProgram.of(weights, request.targets(), background.targets());
    this.observed = ObservedCells.of(background.observed());
  }

  /** Return the exceptions, block of users by block, or nothing if there are too many. */
  Optional<FoundExceptions[]> find() {
    try (program) {
      program.join(context.store());
      FoundExceptions[] blocks = new FoundExceptions[TileEvaluator.blocks(shape.users())];
      AtomicLong total = new AtomicLong();
      boolean scan =
          background.everything()
              || weightSlots > 0 && background.scoreBound() < Float.POSITIVE_INFINITY;
      context
          .parallelism()
          .forEach(
              blocks.length,
              (block, number) -> {
                if (total.get() > most) {
                  return;
                }
                Worker worker = context.workers()[number];
                Window users = TileEvaluator.block(block, shape.users(), shape.items());
                blocks[block] = scan ? scan(worker, users) : list(worker, users);
                total.addAndGet(blocks[block].count());
              });
      return total.get() <= most ? Optional.of(blocks) : Optional.empty();
    }
  }

  /** List the observed cells of a block of users. */
  private FoundExceptions list(Worker worker, Window window) {
    FoundExceptions found = new FoundExceptions(window.users());
    Evaluation evaluation = new Evaluation(program.run(worker));
    int[] items = new int[shape.items()];
    for (int u = 0; u < window.users(); u++) {
      int user = window.firstUser() + u;
      int count = observed.list(user, 0, shape.items(), items);
      program.moveTo(evaluation.run, user, items, count);
      evaluation.addTo(found, items, count);
      found.markEnd(u);
    }
    return found;
  }

  /** Scan a block of users for observed cells and cells scored beyond the bound. */
  private FoundExceptions scan(Worker worker, Window window) {
    FoundExceptions found = new FoundExceptions(window.users());
    Evaluation evaluation = new Evaluation(program.run(worker));
    Search search = new Search();
    int[] items = new int[2 * TileEvaluator.ITEMS];
    // Tiles run along the items, so a user's exceptions arrive in pieces: collect them by user.
    FoundExceptions[] byUser = new FoundExceptions[window.users()];
    Arrays.setAll(byUser, u -> new FoundExceptions(1));
    TileEvaluator.visit(
        program,
        worker,
        window,
        (run, firstItem) -> {
          int count = search.list(run, firstItem, items);
          evaluation.run.select(run, items, count);
          evaluation.addTo(byUser[run.user() - window.firstUser()], items, count);
        });
    for (int u = 0; u < window.users(); u++) {
      found.addAll(byUser[u]);
      found.markEnd(u);
    }
    return found;
  }

  /** The search of one block of users. */
  private final class Search {
    private final ScoresBeyond bound =
        new ScoresBeyond(background.scoreBound(), TileEvaluator.ITEMS);

    private final int[] beyond = new int[TileEvaluator.ITEMS];
    private final int[] listed = new int[TileEvaluator.ITEMS];

    /**
     * List the exceptions among a run of consecutive cells.
     *
     * @param items receives the items, ascending. Modified.
     * @return the number of exceptions
     */
    int list(CellRun run, int firstItem, int[] items) {
      int width = run.count();
      if (background.everything()) {
        for (int p = 0; p < width; p++) {
          items[p] = firstItem + p;
        }
        return width;
      }
      int listedCount = observed.list(run.user(), firstItem, width, listed);
      int beyondCount = weightSlots == 1 ? bound.list(run.scores(0), width, beyond) : ofAny(run);
      for (int p = 0; p < beyondCount; p++) {
        beyond[p] += firstItem;
      }
      return merge(beyond, beyondCount, listed, listedCount, items);
    }

    /** List the places of the cells that any of the weights' scores puts beyond the bound. */
    private int ofAny(CellRun run) {
      int count = 0;
      for (int p = 0; p < run.count(); p++) {
        boolean any = false;
        for (int slot = 0; slot < weightSlots; slot++) {
          any |= Math.abs(run.scores(slot)[p]) > background.scoreBound();
        }
        beyond[count] = p;
        count += any ? 1 : 0;
      }
      return count;
    }
  }

  /** Merge two ascending lists; an element of both is listed once. */
  private static int merge(int[] left, int lefts, int[] right, int rights, int[] merged) {
    int count = 0;
    int l = 0;
    for (int r = 0; r < rights; r++) {
      while (l < lefts && left[l] < right[r]) {
        merged[count++] = left[l++];
      }
      if (l < lefts && left[l] == right[r]) {
        l++;
      }
      merged[count++] = right[r];
    }
    System.arraycopy(left, l, merged, count, lefts - l);
    return count + lefts - l;
  }

  /** The evaluation of weights and targets at the exceptions of one block. */
  private final class Evaluation {
    private final CellRun run;
    private float[] weights = {};
    private float[] targets = {};
    private float[] backgroundTargets = {};

    Evaluation(CellRun run) {
      this.run = run;
    }

    /** Evaluate the fields where the run is, and add the exceptions. */
    void addTo(FoundExceptions found, int[] items, int count) {
      if (count == 0) {
        return;
      }
      if (weights.length < count) {
        weights = new float[Math.max(count, 2 * weights.length)];
        targets = new float[weights.length];
        backgroundTargets = new float[weights.length];
      }
      program.evaluate(0, run, weights);
      program.evaluate(1, run, targets);
      program.evaluate(2, run, backgroundTargets);
      found.reserve(count);
      if (background.differs()) {
        addScaled(found, items, count);
        return;
      }
      double b = background.weight();
      for (int p = 0; p < count; p++) {
        double weighted = (double) weights[p] * targets[p];
        double plain = b * (double) backgroundTargets[p];
        found.add(items[p], (float) (weights[p] - b), (float) (weighted - plain));
        found.addSquares(weighted * targets[p] - plain * backgroundTargets[p]);
      }
    }

    /** Add the exceptions of the problem in which all background cells weigh the same. */
    private void addScaled(FoundExceptions found, int[] items, int count) {
      double ofUser = background.factor(Side.USERS, run.user());
      for (int p = 0; p < count; p++) {
        double ofItem = background.factor(Side.ITEMS, items[p]);
        double factor = ofUser * ofItem;
        if (factor > 0) {
          // The weights are without the factors around them, but with those of popularity.
          double weight =
              background.items().isPresent()
                  ? weights[p] / (double) background.items().get().of(items[p])
                  : weights[p];
          double excess = weight - background.weight();
          found.add(
              items[p],
              (float) excess,
              (float) (weight * targets[p] * Math.sqrt(factor)),
              ofItem * excess);
          found.addSquares(factor * weight * targets[p] * targets[p]);
        }
      }
    }
  }
}
