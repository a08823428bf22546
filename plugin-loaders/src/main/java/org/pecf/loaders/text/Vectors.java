package org.pecf.loaders.text;

import java.nio.ByteOrder;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.ValueVector;

/** Fill vectors with whole arrays; the vectors must have room. */
public final class Vectors {
  private Vectors() {}

  /**
   * Copy numbers to a vector.
   *
   * @param vector Modified.
   * @param values its first elements are copied. Not modified.
   */
  public static void fill(BigIntVector vector, long[] values, int count) {
    vector
        .getDataBuffer()
        .nioBuffer(0, count * Long.BYTES)
        .order(ByteOrder.nativeOrder())
        .asLongBuffer()
        .put(values, 0, count);
    markPresent(vector, count);
    vector.setValueCount(count);
  }

  /**
   * Copy numbers to a vector.
   *
   * @param vector Modified.
   * @param values its first elements are copied. Not modified.
   */
  public static void fill(Float4Vector vector, float[] values, int count) {
    vector
        .getDataBuffer()
        .nioBuffer(0, count * Float.BYTES)
        .order(ByteOrder.nativeOrder())
        .asFloatBuffer()
        .put(values, 0, count);
    markPresent(vector, count);
    vector.setValueCount(count);
  }

  /**
   * Give a vector new memory that holds numbers.
   *
   * @param vector Modified.
   * @param values its first elements are copied. Not modified.
   */
  public static void replace(BigIntVector vector, long[] values, int count) {
    vector.allocateNew(count);
    fill(vector, values, count);
  }

  /**
   * Give a vector new memory that holds numbers.
   *
   * @param vector Modified.
   * @param values its first elements are copied. Not modified.
   */
  public static void replace(Float4Vector vector, float[] values, int count) {
    vector.allocateNew(count);
    fill(vector, values, count);
  }

  /**
   * Move the elements of a vector to another of the same type: by handing the memory on if both
   * have the same root allocator, else by a copy.
   *
   * @param source Modified: empty afterwards if its memory was handed on.
   * @param target Modified.
   */
  public static void move(ValueVector source, FieldVector target) {
    if (source.getAllocator().getRoot() == target.getAllocator().getRoot()) {
      source.makeTransferPair(target).transfer();
      return;
    }
    int count = source.getValueCount();
    for (int i = 0; i < count; i++) {
      target.copyFromSafe(i, i, source);
    }
    target.setValueCount(count);
  }

  /** Say that the first elements of a vector are not null. */
  static void markPresent(FieldVector vector, int count) {
    ArrowBuf validity = vector.getValidityBuffer();
    int whole = count / Byte.SIZE;
    validity.setOne(0L, (long) whole);
    if (count % Byte.SIZE != 0) {
      validity.setByte(whole, (1 << count % Byte.SIZE) - 1);
    }
  }
}
