package org.pecf.engine.model;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.pecf.api.memory.SparseCells;

/** The column of a set of cells: one row per user, the ascending list of the user's items. */
final class CellColumn {
  private static final int BATCH_CELLS = ColumnFile.BATCH_BYTES / Integer.BYTES;
  private static final int BATCH_ROWS = 1 << 18;

  private CellColumn() {}

  static Manifest.FileEntry write(ColumnFile file, SparseCells cells) throws IOException {
    Field field =
        new Field(
            "items",
            FieldType.notNullable(new ArrowType.List()),
            List.of(new Field("item", FieldType.notNullable(new ArrowType.Int(32, true)), null)));
    return file.write(field, (user, vector) -> fill(cells, user, (ListVector) vector));
  }

  private static void fill(SparseCells cells, int firstUser, ListVector lists) {
    int end = firstUser + 1;
    int start = cells.userStart(firstUser);
    while (end < cells.users()
        && end - firstUser < BATCH_ROWS
        && cells.userStart(end + 1) - start <= BATCH_CELLS) {
      end++;
    }
    IntVector items = (IntVector) lists.getDataVector();
    lists.setInitialCapacity(end - firstUser);
    lists.allocateNew();
    items.allocateNew(Math.max(1, cells.userStart(end) - start));
    for (int user = firstUser; user < end; user++) {
      lists.startNewValue(user - firstUser);
      for (int k = cells.userStart(user); k < cells.userStart(user + 1); k++) {
        items.set(k - start, cells.itemAt(k));
      }
      lists.endValue(user - firstUser, cells.userCount(user));
    }
    lists.setValueCount(end - firstUser);
  }

  static SparseCells read(ColumnFile file, int items, int count, BufferAllocator allocator)
      throws IOException {
    file.requireBytes(Integer.BYTES);
    if (count < 0 || count > Files.size(file.path()) / Integer.BYTES) {
      throw new IllegalArgumentException("it cannot hold " + count + " cells");
    }
    Collector collector = new Collector(allocator, file.rows(), count);
    try {
      file.read(collector);
      collector.finish();
    } catch (IOException | RuntimeException e) {
      collector.close();
      throw e;
    }
    return SparseCells.ofUserOrder(
        allocator, file.rows(), items, collector.userStarts, collector.itemsByUser);
  }

  /** The buffers of a set of cells, filled batch by batch. */
  private static final class Collector implements ColumnFile.Sink, AutoCloseable {
    private final int capacity;
    private final ArrowBuf userStarts;
    private final ArrowBuf itemsByUser;
    private int count;

    Collector(BufferAllocator allocator, int users, int capacity) {
      this.capacity = capacity;
      this.userStarts = allocator.buffer((users + 1L) * Integer.BYTES);
      try {
        this.itemsByUser = allocator.buffer(Math.max(1L, (long) capacity * Integer.BYTES));
      } catch (RuntimeException e) {
        userStarts.close();
        throw e;
      }
      userStarts.setInt(0, 0);
    }

    @Override
    public void take(int firstUser, FieldVector vector) {
      if (!(vector instanceof ListVector lists
          && lists.getDataVector() instanceof IntVector numbers)) {
        throw new IllegalArgumentException(
            "its rows are not lists of int32 but " + vector.getField());
      }
      int length = numbers.getValueCount();
      if (length > capacity - count) {
        throw new IllegalArgumentException(
            "it holds more than the " + capacity + " cells expected");
      }
      itemsByUser.setBytes(
          (long) count * Integer.BYTES, numbers.getDataBuffer(), 0, (long) length * Integer.BYTES);
      for (int row = 0; row < lists.getValueCount(); row++) {
        userStarts.setInt(
            (firstUser + row + 1L) * Integer.BYTES, count + lists.getElementEndIndex(row));
      }
      count += length;
    }

    void finish() {
      if (count != capacity) {
        throw new IllegalArgumentException("it holds " + count + " cells instead of " + capacity);
      }
    }

    @Override
    public void close() {
      userStarts.close();
      itemsByUser.close();
    }
  }
}
