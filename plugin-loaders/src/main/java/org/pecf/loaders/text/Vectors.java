package org.pecf.loaders.text;

import java.nio.ByteOrder;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;

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
