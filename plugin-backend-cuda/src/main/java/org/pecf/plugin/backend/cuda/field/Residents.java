package org.pecf.plugin.backend.cuda.field;

import java.util.IdentityHashMap;
import java.util.Map;
import org.apache.arrow.memory.ArrowBuf;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.SparseCells;
import org.pecf.plugin.backend.cuda.device.DeviceMemory;
import org.pecf.plugin.backend.cuda.device.Lane;
import org.pecf.plugin.backend.cuda.device.Scratch;

/**
 * Keep copies of factors and cell sets on the device while a problem is open: each is copied once,
 * however many fields refer to it. What is copied must not change meanwhile.
 */
public final class Residents {
  private final Lane lane;
  private final Scratch scratch;
  private final Map<FloatMatrix, DeviceMemory> matrices = new IdentityHashMap<>();
  private final Map<SparseCells, CellSet> sets = new IdentityHashMap<>();

  /**
   * Keep copies in scratch memory.
   *
   * @param lane what copies; others must wait for it before they use them
   */
  public Residents(Lane lane, Scratch scratch) {
    this.lane = lane;
    this.scratch = scratch;
  }

  /**
   * Locate a set of cells on the device, by user.
   *
   * @param starts the starts of the users' cells
   * @param items the items of the cells
   */
  public record CellSet(DeviceMemory starts, DeviceMemory items) {}

  /** Return the copy of a matrix. */
  public DeviceMemory matrix(FloatMatrix matrix) {
    DeviceMemory copy = matrices.get(matrix);
    if (copy == null) {
      long bytes = FloatMatrix.bytes(matrix.rows(), matrix.columns());
      copy = scratch.bytes(bytes);
      lane.upload(copy, 0, matrix.buffer().memoryAddress(), bytes);
      matrices.put(matrix, copy);
    }
    return copy;
  }

  /** Return the copy of a set. */
  public CellSet cells(SparseCells cells) {
    CellSet copy = sets.get(cells);
    if (copy == null) {
      copy =
          new CellSet(
              ints(cells.userStarts(), cells.users() + 1L),
              ints(cells.itemsByUser(), cells.count()));
      sets.put(cells, copy);
    }
    return copy;
  }

  private DeviceMemory ints(ArrowBuf source, long count) {
    DeviceMemory copy = scratch.ints(count);
    lane.upload(copy, 0, source.memoryAddress(), count * Integer.BYTES);
    return copy;
  }
}
