package org.pecf.plugin.backend.cuda.device;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.run.Cancellation;
import org.pecf.backend.field.ScoreCombination;

/**
 * The scores of one combination of models at every cell, kept on the device where memory allows.
 *
 * <p>A combination that continues the kept one costs one product per new model: {@code F = s F + c
 * U V'}. So a pass over all cells takes the same time for any number of members.
 */
public final class KeptScores implements AutoCloseable {
  /** The scores may take one part in this many of the free memory. */
  private static final int SHARE = 4;

  private final Device device;
  private @Nullable ScoreCombination kept;
  private @Nullable DeviceMemory scores;
  private int items;

  KeptScores(Device device) {
    this.device = device;
  }

  /** Keep a combination of scores in place of the one kept so far, if there is memory for it. */
  public void keep(CellField field, GridShape shape, Cancellation cancellation) {
    ScoreCombination wanted = ScoreCombination.ofScores(field).orElse(null);
    if (wanted == null || kept != null && wanted.signTo(kept) == 1) {
      return;
    }
    if (scores == null) {
      long bytes = FloatMatrix.bytes(shape.users(), shape.items());
      if (bytes > device.freeBytes() / SHARE) {
        return;
      }
      try {
        scores = device.allocate(bytes);
      } catch (CudaFailure.OutOfMemory e) {
        return;
      }
      items = shape.items();
    }
    int known = 0;
    float scale = 0;
    if (kept != null && kept.isContinuedBy(wanted)) {
      known = kept.size();
      scale = wanted.coefficient(0) / kept.coefficient(0);
    }
    // If the update fails halfway, the scores are of no use.
    kept = null;
    try {
      add(wanted, known, scale, shape, cancellation);
      kept = wanted;
    } catch (CudaFailure.OutOfMemory e) {
      close();
    }
  }

  private void add(
      ScoreCombination wanted, int known, float scale, GridShape shape, Cancellation cancellation) {
    device.inScratch(
        scratch -> {
          DeviceStream stream = device.stream(0);
          float before = scale;
          // Where no model is new, the old scores are scaled all the same.
          for (int k = Math.min(known, wanted.size() - 1); k < wanted.size(); k++) {
            DeviceMatrix users = upload(scratch, stream, wanted.model(k).users());
            DeviceMatrix columns = upload(scratch, stream, wanted.model(k).items());
            float coefficient = k < known ? 0 : wanted.coefficient(k);
            int rows = device.tiles().fieldRows(shape.users(), shape.items());
            for (int first = 0; first < shape.users(); first += rows) {
              cancellation.check();
              int count = Math.min(rows, shape.users() - first);
              stream
                  .algebra()
                  .multiply(
                      coefficient,
                      users.part(first, count, 0, users.columns()),
                      columns.transpose(),
                      before,
                      DeviceMatrix.of(scores(), shape.users(), items).part(first, count, 0, items));
            }
            before = 1;
          }
          return this;
        });
  }

  private static DeviceMatrix upload(Scratch scratch, DeviceStream stream, FloatMatrix matrix) {
    long bytes = FloatMatrix.bytes(matrix.rows(), matrix.columns());
    DeviceMemory copy = scratch.bytes(bytes);
    stream.upload(copy, 0, matrix.rowAddress(0), bytes);
    return DeviceMatrix.of(copy.slice(), matrix.rows(), matrix.columns());
  }

  /** Return 1 or -1 if a combination is the kept one or its negative, else 0. */
  public int signOf(ScoreCombination combination) {
    return kept == null ? 0 : combination.signTo(kept);
  }

  /** Return the kept scores of all cells. */
  public DeviceSlice scores() {
    return Objects.requireNonNull(scores).slice();
  }

  /** Return the number of items of the grid. */
  public int items() {
    return items;
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
