package org.pecf.backend.algebra;

import java.util.Objects;
import org.apache.arrow.memory.util.MemoryUtil;
import org.pecf.api.memory.FloatMatrix;

/**
 * A view of consecutive floats in off-heap memory, as cheap as its address. It owns nothing: its
 * memory must outlive it. Rows of a matrix are checked once, when the view is made; within it
 * bounds are asserted, so that tests check them and hot loops do not.
 *
 * @param address the address of the first float
 * @param length the number of floats
 */
public record FloatSlice(long address, long length) {
  public FloatSlice {
    assert length >= 0 : "a slice of " + length + " floats";
  }

  /** Return a view of one row of a matrix. */
  public static FloatSlice row(FloatMatrix matrix, int row) {
    return rows(matrix, row, 1);
  }

  /** Return a view of consecutive rows of a matrix. */
  public static FloatSlice rows(FloatMatrix matrix, int first, int count) {
    Objects.checkFromIndexSize(first, count, matrix.rows());
    return new FloatSlice(matrix.rowAddress(first), (long) count * matrix.columns());
  }

  /** Return a part of this slice. */
  public FloatSlice slice(long offset, long count) {
    assert contains(offset, count) : outside(offset, count);
    return new FloatSlice(address + offset * Float.BYTES, count);
  }

  /** Return the rest of this slice from an offset on. */
  public FloatSlice from(long offset) {
    return slice(offset, length - offset);
  }

  /** Return one float. */
  public float get(long index) {
    return Float.intBitsToFloat(bits(index));
  }

  /** Change one float. */
  public void set(long index, float value) {
    setBits(index, Float.floatToRawIntBits(value));
  }

  /** Return the four bytes of one float as an int. */
  public int bits(long index) {
    assert contains(index, 1) : outside(index, 1);
    return MemoryUtil.getInt(address + index * Float.BYTES);
  }

  /** Change the four bytes of one float. */
  public void setBits(long index, int bits) {
    assert contains(index, 1) : outside(index, 1);
    MemoryUtil.putInt(address + index * Float.BYTES, bits);
  }

  /** Set all floats to zero. */
  public void clear() {
    MemoryUtil.setMemory(address, length * Float.BYTES, (byte) 0);
  }

  /** Copy all floats to the start of another slice. */
  public void copyTo(FloatSlice target) {
    copyTo(0, target, 0, length);
  }

  /** Copy some floats to an offset of another slice. */
  public void copyTo(long offset, FloatSlice target, long targetOffset, long count) {
    assert contains(offset, count) : outside(offset, count);
    assert target.contains(targetOffset, count) : target.outside(targetOffset, count);
    MemoryUtil.copyMemory(
        address + offset * Float.BYTES,
        target.address + targetOffset * Float.BYTES,
        count * Float.BYTES);
  }

  private boolean contains(long offset, long count) {
    return offset >= 0 && count >= 0 && offset + count <= length;
  }

  private String outside(long offset, long count) {
    return count + " floats from " + offset + " are not within " + length;
  }
}
