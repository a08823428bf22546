package org.pecf.engine.model;

import java.io.IOException;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.pecf.api.memory.SparseMatrix;

/** The column of a sparse matrix: each row is a list of entries, their columns ascending. */
final class SparseColumn {
  private static final Field ENTRY =
      new Field(
          "entry",
          FieldType.notNullable(new ArrowType.Struct()),
          List.of(
              new Field(
                  "column", FieldType.notNullable(new ArrowType.Int(Integer.SIZE, true)), null),
              new Field(
                  "value",
                  FieldType.notNullable(new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE)),
                  null)));

  private SparseColumn() {}

  static Manifest.FileEntry write(ColumnFile file, SparseMatrix matrix) throws IOException {
    Field field = new Field("entries", FieldType.notNullable(new ArrowType.List()), List.of(ENTRY));
    int count = matrix.count();
    return file.write(
        field,
        List.of(
            new ColumnFile.Rows(
                matrix.rows(),
                List.of(matrix.rows(), count, count, count),
                List.of(
                    ColumnFile.first(matrix.rowStarts(), (matrix.rows() + 1L) * Integer.BYTES),
                    ColumnFile.first(matrix.entryColumns(), (long) count * Integer.BYTES),
                    ColumnFile.first(matrix.entryValues(), (long) count * Float.BYTES)))));
  }

  /**
   * Read the column.
   *
   * @param columns the number of columns of the matrix
   * @param count the number of entries
   * @return the matrix, owned by the caller
   */
  static SparseMatrix read(ColumnFile file, int columns, int count) throws IOException {
    return file.read(
        (field, parts) -> {
          if (!(field.getType() instanceof ArrowType.List
              && field.getChildren().equals(List.of(ENTRY)))) {
            throw new IllegalArgumentException(
                "its rows are not lists of columns and values but " + field);
          }
          ColumnFile.Rows rows = ColumnFile.only(parts, count, "entries");
          ArrowBuf starts = ColumnFile.kept(rows.buffers().get(0));
          ArrowBuf places = ColumnFile.kept(rows.buffers().get(1));
          ArrowBuf values = ColumnFile.kept(rows.buffers().get(2));
          return file.opening().verified()
              ? SparseMatrix.of(file.rows(), columns, starts, places, values)
              : SparseMatrix.ofUnchecked(file.rows(), columns, count, starts, places, values);
        });
  }
}
