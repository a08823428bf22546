package org.pecf.plugin.loaders.text;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.function.Consumer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.ValueVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;

/** Operations on whole Arrow vectors. */
public final class Vectors {
  private Vectors() {}

  /**
   * Give a vector new memory that holds numbers.
   *
   * @param vector Modified.
   * @param values its first elements are copied. Not modified.
   */
  public static void replace(BigIntVector vector, long[] values, int count) {
    replace(vector, Long.BYTES, count, memory -> memory.asLongBuffer().put(values, 0, count));
  }

  /**
   * Give a vector new memory that holds numbers.
   *
   * @param vector Modified.
   * @param values its first elements are copied. Not modified.
   */
  public static void replace(Float4Vector vector, float[] values, int count) {
    replace(vector, Float.BYTES, count, memory -> memory.asFloatBuffer().put(values, 0, count));
  }

  /** Load freshly filled memory: a vector that allocates its own would zero it first. */
  private static void replace(
      BaseFixedWidthVector vector, int width, int count, Consumer<ByteBuffer> values) {
    BufferAllocator allocator = vector.getAllocator();
    vector.clear();
    try (ArrowBuf memory = allocator.buffer((long) count * width)) {
      values.accept(memory.nioBuffer(0, count * width).order(ByteOrder.nativeOrder()));
      // Without a validity buffer, the vector makes one with all bits set.
      vector.loadFieldBuffers(new ArrowFieldNode(count, 0), List.of(allocator.getEmpty(), memory));
    }
  }

  /**
   * Move the elements of a vector to another of the same type: by passing the memory on if both
   * have the same root allocator, by copying otherwise.
   *
   * @param source Modified: empty afterwards if its memory was passed on.
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

  /** Mark the first elements of a vector as not null. */
  static void markPresent(FieldVector vector, int count) {
    ArrowBuf validity = vector.getValidityBuffer();
    int whole = count / Byte.SIZE;
    validity.setOne(0L, (long) whole);
    if (count % Byte.SIZE != 0) {
      validity.setByte(whole, (1 << count % Byte.SIZE) - 1);
    }
  }
}
