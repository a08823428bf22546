package org.pecf.engine.model;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.pecf.api.memory.SparseMatrix;

/** The column of a sparse matrix: each row is a list of entries, their columns ascending. */
final class SparseColumn {
  private static final int ENTRY_BYTES = Integer.BYTES + Float.BYTES;
  private static final int BATCH_ENTRIES = ColumnFile.BATCH_BYTES / ENTRY_BYTES;
  private static final int BATCH_ROWS = 1 << 18;
  private static final String COLUMN = "column";
  private static final String VALUE = "value";

  private SparseColumn() {}

  static Manifest.FileEntry write(ColumnFile file, SparseMatrix matrix) throws IOException {
    ArrowType number = new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
    Field entry =
        new Field(
            "entry",
            FieldType.notNullable(new ArrowType.Struct()),
            List.of(
                new Field(COLUMN, FieldType.notNullable(new ArrowType.Int(32, true)), null),
                new Field(VALUE, FieldType.notNullable(number), null)));
    Field field = new Field("entries", FieldType.notNullable(new ArrowType.List()), List.of(entry));
    return file.write(field, (row, vector) -> fill(matrix, row, (ListVector) vector));
  }

  private static void fill(SparseMatrix matrix, int firstRow, ListVector lists) {
    int start = matrix.rowStart(firstRow);
    int end = firstRow + 1;
    while (end < matrix.rows()
        && end - firstRow < BATCH_ROWS
        && matrix.rowStart(end + 1) - start <= BATCH_ENTRIES) {
      end++;
    }
    int count = matrix.rowStart(end) - start;
    StructVector entries = (StructVector) lists.getDataVector();
    IntVector columns = (IntVector) entries.getChild(COLUMN);
    Float4Vector values = (Float4Vector) entries.getChild(VALUE);
    lists.setInitialCapacity(end - firstRow);
    lists.allocateNew();
    entries.setInitialCapacity(Math.max(1, count));
    entries.allocateNew();
    columns.allocateNew(Math.max(1, count));
    values.allocateNew(Math.max(1, count));
    for (int p = 0; p < count; p++) {
      columns.set(p, matrix.columnAt(start + p));
      values.set(p, matrix.valueAt(start + p));
      entries.setIndexDefined(p);
    }
    for (int row = firstRow; row < end; row++) {
      lists.startNewValue(row - firstRow);
      lists.endValue(row - firstRow, matrix.rowStart(row + 1) - matrix.rowStart(row));
    }
    lists.setValueCount(end - firstRow);
  }

  /**
   * Read the column.
   *
   * @param columns the number of columns of the matrix
   * @param count the number of entries
   */
  static SparseMatrix read(ColumnFile file, int columns, int count, BufferAllocator allocator)
      throws IOException {
    file.requireBytes(Integer.BYTES);
    if (count < 0 || count > Files.size(file.path()) / ENTRY_BYTES) {
      throw new IllegalArgumentException("it cannot hold " + count + " entries");
    }
    Collector collector = new Collector(allocator, file.rows(), count);
    try {
      file.read(collector);
      collector.finish();
    } catch (IOException | RuntimeException e) {
      collector.close();
      throw e;
    }
    return SparseMatrix.of(
        file.rows(), columns, collector.starts, collector.columns, collector.values);
  }

  /** The buffers of a matrix, filled batch by batch. */
  private static final class Collector implements ColumnFile.Sink, AutoCloseable {
    private final int capacity;
    private final ArrowBuf starts;
    private ArrowBuf columns;
    private ArrowBuf values;
    private int count;

    Collector(BufferAllocator allocator, int rows, int capacity) {
      this.capacity = capacity;
      this.starts = allocator.buffer((rows + 1L) * Integer.BYTES);
      starts.setInt(0, 0);
      try {
        columns = allocator.buffer(Math.max(1L, (long) capacity * Integer.BYTES));
        values = allocator.buffer(Math.max(1L, (long) capacity * Float.BYTES));
      } catch (RuntimeException e) {
        close();
        throw e;
      }
    }

    @Override
    public void take(int firstRow, FieldVector vector) {
      if (!(vector instanceof ListVector lists
          && lists.getDataVector() instanceof StructVector entries
          && entries.size() == 2
          && entries.getChild(COLUMN) instanceof IntVector places
          && entries.getChild(VALUE) instanceof Float4Vector numbers)) {
        throw new IllegalArgumentException(
            "its rows are not lists of columns and values but " + vector.getField());
      }
      if (places.getNullCount() != 0 || numbers.getNullCount() != 0) {
        throw new IllegalArgumentException("some of its values are missing");
      }
      int length = entries.getValueCount();
      if (length > capacity - count) {
        throw new IllegalArgumentException(
            "it holds more than the " + capacity + " entries expected");
      }
      long first = (long) count * Integer.BYTES;
      columns.setBytes(first, places.getDataBuffer(), 0, (long) length * Integer.BYTES);
      values.setBytes(first, numbers.getDataBuffer(), 0, (long) length * Float.BYTES);
      for (int row = 0; row < lists.getValueCount(); row++) {
        starts.setInt((firstRow + row + 1L) * Integer.BYTES, count + lists.getElementEndIndex(row));
      }
      count += length;
    }

    void finish() {
      if (count != capacity) {
        throw new IllegalArgumentException("it holds " + count + " entries instead of " + capacity);
      }
    }

    @Override
    public void close() {
      starts.close();
      for (ArrowBuf buffer : new ArrowBuf[] {columns, values}) {
        if (buffer != null) {
          buffer.close();
        }
      }
    }
  }
}
