package org.pecf.backend.algebra;

import org.apache.arrow.memory.util.MemoryUtil;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;

/**
 * A view of consecutive ints in off-heap memory, which it does not own. Bounds are asserted.
 *
 * @param address the address of the first int
 * @param length the number of ints
 */
public record IntSlice(long address, long length) {
  /** Return a view of the items of cells, in the order of their users. */
  public static IntSlice itemsByUser(SparseCells cells) {
    return new IntSlice(cells.cellsAddress(Side.USERS), cells.count());
  }

  /** Return one int. */
  public int get(long index) {
    assert index >= 0 && index < length : "int " + index + " of " + length;
    return MemoryUtil.getInt(address + index * Integer.BYTES);
  }
}
