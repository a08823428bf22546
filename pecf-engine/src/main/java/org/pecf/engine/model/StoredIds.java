package org.pecf.engine.model;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.pecf.api.memory.Side;
import org.pecf.engine.data.IdMap;

/** The column of the ids of one side, as in the source: int64 or utf8, never converted. */
final class StoredIds {
  private StoredIds() {}

  static Manifest.FileEntry write(ColumnFile file, IdMap ids) throws IOException {
    FieldVector source = ids.vector();
    Field field = new Field("id", FieldType.notNullable(source.getField().getType()), null);
    int size = ids.size();
    return file.write(
        field, List.of(new ColumnFile.Rows(size, List.of(size), buffers(source, size))));
  }

  private static List<ArrowBuf> buffers(FieldVector ids, int size) {
    if (ids instanceof VarCharVector texts) {
      return List.of(
          ColumnFile.first(texts.getOffsetBuffer(), (size + 1L) * Integer.BYTES),
          ColumnFile.first(texts.getDataBuffer(), texts.getOffsetBuffer().getInt(4L * size)));
    }
    return List.of(ColumnFile.first(ids.getDataBuffer(), (long) size * Long.BYTES));
  }

  /** Read the column as a map, owned by the caller. */
  static IdMap read(ColumnFile file, Side side) throws IOException {
    return file.read(
        (field, parts) -> {
          boolean numbers = field.getType().equals(new ArrowType.Int(Long.SIZE, true));
          if (!numbers && !field.getType().equals(ArrowType.Utf8.INSTANCE)) {
            throw new IllegalArgumentException("its ids are neither int64 nor utf8 but " + field);
          }
          List<ArrowBuf> buffers = ColumnFile.only(parts).buffers();
          FieldVector ids =
              numbers
                  ? new BigIntVector(field, file.allocator())
                  : new VarCharVector(field, file.allocator());
          List<ArrowBuf> all = new ArrayList<>(buffers);
          all.add(0, file.allocator().getEmpty());
          ids.loadFieldBuffers(new ArrowFieldNode(file.rows(), 0), all);
          return file.opening().verified() ? IdMap.of(side, ids) : IdMap.ofUnchecked(side, ids);
        });
  }
}
