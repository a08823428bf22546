package org.pecf.plugin.loaders.text;

import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.pecf.api.data.IdKind;

/** A column of ids on the heap, to be copied to a vector in one go. */
final class IdColumn {
  private static final int OFFSET_BYTES = Integer.BYTES;

  private final IdKind kind;
  long[] numbers = {};
  private byte[] text = {};
  // The ends of the texts; element 0 is the start of the first.
  private int[] ends = {0};

  IdColumn(IdKind kind) {
    this.kind = kind;
  }

  IdKind kind() {
    return kind;
  }

  void reserve(int capacity) {
    if (kind == IdKind.INTEGER) {
      numbers = numbers.length < capacity ? Arrays.copyOf(numbers, capacity) : numbers;
    } else {
      ends = ends.length <= capacity ? Arrays.copyOf(ends, capacity + 1) : ends;
    }
  }

  /** Set an element of a text column; elements are set in order. */
  void text(int index, byte[] source, int from, int to) {
    int start = ends[index];
    int end = start + to - from;
    if (text.length < end) {
      text = Arrays.copyOf(text, Math.max(end, 2 * text.length));
    }
    System.arraycopy(source, from, text, start, to - from);
    ends[index + 1] = end;
  }

  void copyTo(FieldVector vector, int count) {
    if (kind == IdKind.INTEGER) {
      Vectors.replace((BigIntVector) vector, numbers, count);
      return;
    }
    VarCharVector texts = (VarCharVector) vector;
    texts.allocateNew(ends[count], count);
    texts
        .getOffsetBuffer()
        .nioBuffer(0, (count + 1) * OFFSET_BYTES)
        .order(ByteOrder.nativeOrder())
        .asIntBuffer()
        .put(ends, 0, count + 1);
    texts.getDataBuffer().setBytes(0, text, 0, ends[count]);
    Vectors.markPresent(texts, count);
    texts.setLastSet(count - 1);
    texts.setValueCount(count);
  }
}
