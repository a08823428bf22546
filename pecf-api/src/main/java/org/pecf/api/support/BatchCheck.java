package org.pecf.api.support;

import java.io.IOException;
import java.util.List;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.TypeLayout;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * A check that a record batch is what its metadata say: every buffer within the body, long enough
 * for its values, and every offset within what it points into.
 */
final class BatchCheck {
  private static final int MOST_ROWS = Integer.MAX_VALUE - 8;

  private final RecordBatch batch;
  private final ArrowBuf body;
  private final boolean content;
  private int node;
  private int buffer;

  /**
   * Prepare a check.
   *
   * @param content whether to look into the buffers of offsets and nulls; if not, only at their
   *     lengths and the last offsets
   */
  BatchCheck(RecordBatch batch, ArrowBuf body, boolean content) {
    this.batch = batch;
    this.body = body;
    this.content = content;
  }

  /** Check a batch of columns. */
  void check(List<Field> columns) throws IOException {
    if (batch.compression() != null) {
      throw new IOException("it is compressed");
    }
    long rows = batch.length();
    if (rows < 0 || rows > MOST_ROWS) {
      throw new IOException("a batch of " + rows + " rows is not possible");
    }
    for (Field column : columns) {
      if (column(column) != rows) {
        throw damaged(column, "has not as many rows as its batch");
      }
    }
    checkAllTaken();
  }

  /** Check the values of a dictionary. */
  void checkWords(Field field) throws IOException {
    if (batch.compression() != null) {
      throw new IOException("it is compressed");
    }
    if (column(field, field.getType(), field.getChildren()) != batch.length()) {
      throw damaged(field, "has not as many words as its dictionary");
    }
    checkAllTaken();
  }

  private void checkAllTaken() throws IOException {
    if (node != batch.nodesLength() || buffer != batch.buffersLength()) {
      throw new IOException("a batch has more buffers than its columns");
    }
  }

  /** Check a column, whose values may be in a dictionary, and return its length. */
  private int column(Field field) throws IOException {
    return field.getDictionary() == null
        ? column(field, field.getType(), field.getChildren())
        : column(field, field.getDictionary().getIndexType(), List.of());
  }

  private int column(Field field, ArrowType type, List<Field> children) throws IOException {
    if (type instanceof ArrowType.ExtensionType extension) {
      return column(field, extension.storageType(), children);
    }
    if (node >= batch.nodesLength()) {
      throw new IOException("a batch has fewer columns than its schema");
    }
    FieldNode counts = batch.nodes(node++);
    long length = counts.length();
    // Whatever the type, a value takes a bit at least: what follows allocates by the length.
    if (length < 0 || length > MOST_ROWS || length > Byte.SIZE * body.capacity()) {
      throw damaged(field, "cannot have " + length + " values in so few bytes");
    }
    int count = (int) length;
    if (!(type instanceof ArrowType.Null)) {
      checkValidity(field, count, counts.nullCount());
    }
    switch (type.getTypeID()) {
      case Null -> {}
      case Bool, Int, FloatingPoint, Decimal, Date, Time, Timestamp, Duration, Interval ->
          checkSize(field, next(field), bits(count, width(type)));
      case FixedSizeBinary ->
          checkSize(
              field,
              next(field),
              bits(
                  count,
                  Byte.SIZE * positive(field, ((ArrowType.FixedSizeBinary) type).getByteWidth())));
      case Utf8, Binary -> checkTexts(field, count, Integer.BYTES);
      case LargeUtf8, LargeBinary -> checkTexts(field, count, Long.BYTES);
      case List, Map -> checkList(field, children, count, Integer.BYTES);
      case LargeList -> checkList(field, children, count, Long.BYTES);
      case FixedSizeList -> {
        long size = positive(field, ((ArrowType.FixedSizeList) type).getListSize());
        if (column(only(field, children)) != size * count) {
          throw damaged(field, "has not as many elements as its lists");
        }
      }
      case Struct -> {
        for (Field child : children) {
          if (column(child) != count) {
            throw damaged(field, "has parts of different lengths");
          }
        }
      }
      default -> throw damaged(field, "is of type " + type + ", which is not read");
    }
    return count;
  }

  private static long width(ArrowType type) {
    return TypeLayout.getTypeLayout(type).getBufferLayouts().get(1).getTypeBitWidth();
  }

  private static long bits(long count, long width) {
    return Math.addExact(Math.multiplyExact(count, width), Byte.SIZE - 1L) / Byte.SIZE;
  }

  private static long positive(Field field, int size) throws IOException {
    if (size < 1) {
      throw damaged(field, "has values of " + size + " elements");
    }
    return size;
  }

  private static Field only(Field field, List<Field> children) throws IOException {
    if (children.size() != 1) {
      throw damaged(field, "is a list of " + children.size() + " types");
    }
    return children.get(0);
  }

  private void checkValidity(Field field, int count, long nulls) throws IOException {
    Part validity = next(field);
    if (nulls < 0 || nulls > count) {
      throw damaged(field, "has " + nulls + " nulls in " + count + " values");
    }
    if (nulls == 0 && validity.length == 0) {
      return;
    }
    checkSize(field, validity, bits(count, 1));
    if (!content) {
      return;
    }
    long present = 0;
    int whole = count / Byte.SIZE;
    for (int k = 0; k < whole; k++) {
      present += Integer.bitCount(body.getByte(validity.offset + k) & 0xff);
    }
    if (count % Byte.SIZE != 0) {
      int rest = body.getByte(validity.offset + whole) & (1 << count % Byte.SIZE) - 1;
      present += Integer.bitCount(rest);
    }
    if (present != count - nulls) {
      throw damaged(field, "has not the number of nulls that it says");
    }
  }

  private void checkTexts(Field field, int count, int width) throws IOException {
    Part offsets = next(field);
    long end = lastOffset(field, offsets, count, width);
    checkSize(field, next(field), end);
  }

  private void checkList(Field field, List<Field> children, int count, int width)
      throws IOException {
    Part offsets = next(field);
    long end = lastOffset(field, offsets, count, width);
    if (column(only(field, children)) < end) {
      throw damaged(field, "has lists that end beyond their elements");
    }
  }

  /** Check that offsets never descend, or the last one alone, and return it. */
  private long lastOffset(Field field, Part offsets, int count, int width) throws IOException {
    if (count == 0 && offsets.length < width) {
      return 0;
    }
    checkSize(field, offsets, (count + 1L) * width);
    long previous = 0;
    for (long k = content ? 0 : count; k <= count; k++) {
      long place = offsets.offset + k * width;
      long offset = width == Integer.BYTES ? body.getInt(place) : body.getLong(place);
      if (offset < previous) {
        throw damaged(field, "has a value " + k + " that ends before it starts");
      }
      previous = offset;
    }
    return previous;
  }

  private static void checkSize(Field field, Part part, long needed) throws IOException {
    if (part.length < needed) {
      throw damaged(
          field, "has a buffer of " + part.length + " bytes where " + needed + " are needed");
    }
  }

  /** A part of the body. */
  private record Part(long offset, long length) {}

  /** Take the next buffer, which lies within the body. */
  private Part next(Field field) throws IOException {
    if (buffer >= batch.buffersLength()) {
      throw new IOException("a batch has fewer buffers than its columns need");
    }
    Buffer described = batch.buffers(buffer++);
    Part part = new Part(described.offset(), described.length());
    if (part.offset < 0
        || part.length < 0
        || part.offset > body.capacity()
        || part.length > body.capacity() - part.offset) {
      throw damaged(field, "has a buffer that ends beyond its batch");
    }
    if (part.offset % Long.BYTES != 0) {
      throw damaged(field, "has a buffer that is not aligned");
    }
    return part;
  }

  private static IOException damaged(Field field, String problem) {
    return new IOException("column '" + Name.of(field) + "' " + problem);
  }

  /** A name from a file as a message may show it. */
  private static final class Name {
    private static final int MOST = 40;

    static String of(Field field) {
      String name = String.valueOf(field.getName()).replaceAll("\\p{Cntrl}", "?");
      return name.length() > MOST ? name.substring(0, MOST) + "…" : name;
    }
  }
}
