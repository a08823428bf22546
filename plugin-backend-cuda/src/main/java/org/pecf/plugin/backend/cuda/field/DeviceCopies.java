package org.pecf.plugin.backend.cuda.field;

import java.util.IdentityHashMap;
import java.util.Map;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.backend.field.ScoreCombination;
import org.pecf.backend.field.Window;
import org.pecf.plugin.backend.cuda.device.Device;
import org.pecf.plugin.backend.cuda.device.DeviceMatrix;
import org.pecf.plugin.backend.cuda.device.DeviceMemory;
import org.pecf.plugin.backend.cuda.device.DeviceSlice;
import org.pecf.plugin.backend.cuda.device.DeviceStream;
import org.pecf.plugin.backend.cuda.device.KeptScores;
import org.pecf.plugin.backend.cuda.device.LaunchGrid;
import org.pecf.plugin.backend.cuda.device.Scratch;

/**
 * The copies of factors and cell sets on the device while a problem is open: one of each, however
 * many fields refer to it. The originals must not change meanwhile.
 */
public final class DeviceCopies {
  private final KeptScores kept;
  private final DeviceStream stream;
  private final Scratch scratch;
  private final Map<FloatMatrix, DeviceMemory> matrices = new IdentityHashMap<>();
  private final Map<SparseCells, CellSet> sets = new IdentityHashMap<>();

  /**
   * Create no copies yet.
   *
   * @param device the device, whose first stream copies; the other one must wait for it before it
   *     uses copies
   * @param scratch the memory of the copies
   */
  public DeviceCopies(Device device, Scratch scratch) {
    this.kept = device.keptScores();
    this.stream = device.stream(0);
    this.scratch = scratch;
  }

  /**
   * A set of cells on the device, by user.
   *
   * @param starts the starts of the users' cells
   * @param items the items of the cells
   */
  public record CellSet(DeviceMemory starts, DeviceMemory items) {
    /**
     * Mark the cells of the set within a window.
     *
     * @param keep whether marks made before are kept
     * @param marks receives one bit per cell. Modified.
     */
    public void mark(DeviceStream on, Window window, boolean keep, DeviceSlice marks) {
      on.launch(
          "mark_cells",
          LaunchGrid.rows(window.users()),
          0,
          starts,
          items,
          window.firstUser(),
          window.firstItem(),
          window.users(),
          window.items(),
          keep ? 1 : 0,
          marks.slice(0, Marks.bytes(window)));
    }
  }

  /** Return the scores that are kept at every cell. */
  KeptScores kept() {
    return kept;
  }

  /** Copy the models of a combination, unless its scores are kept. */
  void prepare(ScoreCombination combination) {
    if (kept.signOf(combination) == 0) {
      for (FactorModel model : combination.models()) {
        matrix(model.users());
        matrix(model.items());
      }
    }
  }

  /** Copy the models of a combination if that was not done before, and wait for the copies. */
  void prepareLate(ScoreCombination combination) {
    boolean copied =
        combination.models().stream()
            .allMatch(
                model ->
                    matrices.containsKey(model.users()) && matrices.containsKey(model.items()));
    if (!copied) {
      prepare(combination);
      stream.await();
    }
  }

  /** Return the copy of a matrix. */
  public DeviceMatrix matrix(FloatMatrix matrix) {
    DeviceMemory copy = matrices.get(matrix);
    if (copy == null) {
      long bytes = FloatMatrix.bytes(matrix.rows(), matrix.columns());
      copy = scratch.bytes(bytes);
      stream.upload(copy, 0, matrix.rowAddress(0), bytes);
      matrices.put(matrix, copy);
    }
    return DeviceMatrix.of(copy.slice(), matrix.rows(), matrix.columns());
  }

  /** Return the copy of a set. */
  public CellSet cells(SparseCells cells) {
    CellSet copy = sets.get(cells);
    if (copy == null) {
      copy =
          new CellSet(
              ints(cells.startsAddress(Side.USERS), cells.users() + 1L),
              ints(cells.cellsAddress(Side.USERS), cells.count()));
      sets.put(cells, copy);
    }
    return copy;
  }

  private DeviceMemory ints(long source, long count) {
    DeviceMemory copy = scratch.ints(count);
    stream.upload(copy, 0, source, count * Integer.BYTES);
    return copy;
  }
}
