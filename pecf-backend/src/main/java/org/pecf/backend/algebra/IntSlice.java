package org.pecf.backend.algebra;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * A view of consecutive ints in off-heap memory, which it does not own. Bounds are asserted.
 *
 * @param address the address of the first int
 * @param length the number of ints
 */
public record IntSlice(long address, long length) {
  /** Return a view of a whole buffer. */
  public static IntSlice of(ArrowBuf buffer) {
    return new IntSlice(buffer.memoryAddress(), buffer.capacity() / Integer.BYTES);
  }

  /** Return one int. */
  public int get(long index) {
    assert index >= 0 && index < length : "int " + index + " of " + length;
    return MemoryUtil.getInt(address + index * Integer.BYTES);
  }
}
