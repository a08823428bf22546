package org.pecf.engine.model;

import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.jspecify.annotations.Nullable;
import org.pecf.api.memory.Side;
import org.pecf.engine.data.IdMap;

/** The column of the ids of one side, as in the source: int64 or utf8, never converted. */
final class IdColumn {
  private static final int BATCH_ROWS = 1 << 16;

  private IdColumn() {}

  static Manifest.FileEntry write(ColumnFile file, IdMap ids) throws IOException {
    FieldVector source = ids.vector();
    return file.write(
        new Field("id", FieldType.notNullable(source.getField().getType()), null),
        (row, vector) -> {
          int rows = Math.min(BATCH_ROWS, ids.size() - row);
          vector.setInitialCapacity(rows);
          vector.allocateNew();
          copy(source, row, rows, vector, 0);
          vector.setValueCount(rows);
        });
  }

  static IdMap read(ColumnFile file, Side side, BufferAllocator allocator) throws IOException {
    file.requireBytes(Integer.BYTES);
    Collector collector = new Collector(file.rows(), allocator);
    try {
      file.read(collector);
    } catch (IOException | RuntimeException e) {
      collector.close();
      throw e;
    }
    FieldVector ids = collector.ids;
    if (ids == null) {
      throw new IllegalArgumentException("it holds no ids");
    }
    ids.setValueCount(file.rows());
    return IdMap.of(side, ids);
  }

  private static void copy(
      FieldVector source, int firstSource, int rows, FieldVector target, int firstTarget) {
    for (int k = 0; k < rows; k++) {
      target.copyFromSafe(firstSource + k, firstTarget + k, source);
    }
  }

  /** The ids of all batches in one vector, of the type of the first batch. */
  private static final class Collector implements ColumnFile.Sink, AutoCloseable {
    private final int rows;
    private final BufferAllocator allocator;
    private @Nullable FieldVector ids;

    Collector(int rows, BufferAllocator allocator) {
      this.rows = rows;
      this.allocator = allocator;
    }

    @Override
    public void take(int firstRow, FieldVector vector) {
      if (!(vector instanceof BigIntVector || vector instanceof VarCharVector)) {
        throw new IllegalArgumentException(
            "its ids are neither int64 nor utf8 but " + vector.getField());
      }
      if (ids == null) {
        ids = vector.getField().createVector(allocator);
        ids.setInitialCapacity(rows);
        ids.allocateNew();
      }
      copy(vector, 0, vector.getValueCount(), ids, firstRow);
    }

    @Override
    public void close() {
      if (ids != null) {
        ids.close();
      }
    }
  }
}
