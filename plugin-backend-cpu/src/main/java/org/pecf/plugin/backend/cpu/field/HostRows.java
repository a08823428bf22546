package org.pecf.plugin.backend.cpu.field;

import java.util.List;
import org.pecf.api.field.HostScore;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.backend.algebra.OffHeapFloats;
import org.pecf.backend.field.Window;

/**
 * The scores of models that only the host computes, for some users at a time and all items of a
 * window: such a model does most of its work once a row, however little of it is wanted.
 */
final class HostRows {
  /** The scores of all models that are in memory at once. */
  private static final int FLOATS = 1 << 20;

  /** The cells of a row from which computing the whole row is the faster way. */
  private static final int WHOLE_ROW = 8;

  private final List<HostScore> hosts;
  private final FieldScratch scratch;
  private final Window window;

  HostRows(List<HostScore> hosts, FieldScratch scratch, Window window) {
    this.hosts = hosts;
    this.scratch = scratch;
    this.window = window;
  }

  /** Return how many users are in memory at once. */
  int users() {
    if (hosts.isEmpty()) {
      return TileEvaluator.USERS;
    }
    long fitting = FLOATS / ((long) hosts.size() * Math.max(1, window.items()));
    return (int) Math.max(1, Math.min(TileEvaluator.USERS, fitting));
  }

  /** Compute the scores of some users. */
  void moveTo(int firstUser, int users) {
    for (int host = 0; host < hosts.size(); host++) {
      // The tile is a view of scratch memory: it is not closed.
      hosts
          .get(host)
          .fill(
              firstUser,
              window.firstItem(),
              FloatMatrix.borrow(rows(host, users).buffer(), users, window.items()));
    }
  }

  private OffHeapFloats rows(int host, int users) {
    return scratch.hostRows(host, (long) users * window.items());
  }

  /** Give a run the scores of its cells, which are consecutive items of the window. */
  void read(int row, CellRun run) {
    for (int host = 0; host < hosts.size(); host++) {
      long start = (long) row * window.items() + run.item(0) - window.firstItem();
      rows(host, row + 1).read(start, run.hostScores(host), 0, run.count());
    }
  }

  /** Give a run of listed cells the scores of one of the models. */
  static void at(HostScore field, CellRun run, int host) {
    float[] scores = run.hostScores(host);
    if (run.count() < WHOLE_ROW) {
      for (int p = 0; p < run.count(); p++) {
        scores[p] = field.valueAt(run.user(), run.item(p));
      }
      return;
    }
    int items = field.model().shape().items();
    OffHeapFloats row = run.scratch().hostRows(host, items);
    field.fill(run.user(), 0, FloatMatrix.borrow(row.buffer(), 1, items));
    float[] all = new float[items];
    row.read(0, all, 0, items);
    for (int p = 0; p < run.count(); p++) {
      scores[p] = all[run.item(p)];
    }
  }
}
