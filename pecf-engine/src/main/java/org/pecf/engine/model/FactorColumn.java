package org.pecf.engine.model;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.pecf.api.memory.FloatMatrix;

/** The column of a matrix: each row is a list of float32, one per column of the matrix. */
final class FactorColumn {
  private static final ArrowType NUMBER =
      new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);

  /** The most elements of a batch that Arrow's own readers accept. */
  private static final int MOST_ELEMENTS = Integer.MAX_VALUE - 8;

  private FactorColumn() {}

  static Manifest.FileEntry write(ColumnFile file, FloatMatrix matrix) throws IOException {
    return write(file, matrix, MOST_ELEMENTS);
  }

  /**
   * Write a matrix.
   *
   * @param most the most elements of a batch
   */
  static Manifest.FileEntry write(ColumnFile file, FloatMatrix matrix, int most)
      throws IOException {
    int columns = matrix.columns();
    if (columns < 1) {
      throw new IllegalArgumentException("a member without factors cannot be stored");
    }
    Field field =
        new Field(
            "factors",
            FieldType.notNullable(new ArrowType.FixedSizeList(columns)),
            List.of(new Field("item", FieldType.notNullable(NUMBER), null)));
    List<ColumnFile.Rows> parts = new ArrayList<>();
    for (int row = 0; row < matrix.rows(); ) {
      int rows = Math.min(matrix.rows() - row, Math.max(1, most / columns));
      long bytes = FloatMatrix.bytes(rows, columns);
      ArrowBuf numbers = matrix.buffer().slice(FloatMatrix.bytes(row, columns), bytes);
      parts.add(
          new ColumnFile.Rows(
              rows, List.of(rows, rows * columns), List.of(ColumnFile.first(numbers, bytes))));
      row += rows;
    }
    return file.write(field, parts);
  }

  /** Read the column as a matrix of the given number of columns, owned by the caller. */
  static FloatMatrix read(ColumnFile file, int columns) throws IOException {
    return file.read(
        (field, parts) -> {
          if (!(field.getType() instanceof ArrowType.FixedSizeList lists
              && lists.getListSize() == columns
              && field.getChildren().get(0).getType().equals(NUMBER))) {
            throw new IllegalArgumentException(
                "its rows are not lists of " + columns + " float32 but " + field);
          }
          return parts.size() == 1
              ? FloatMatrix.of(ColumnFile.kept(parts.get(0).buffers().get(0)), file.rows(), columns)
              : joined(file, columns, parts);
        });
  }

  /** Return the rows of several parts in one matrix. */
  private static FloatMatrix joined(ColumnFile file, int columns, List<ColumnFile.Rows> parts) {
    FloatMatrix matrix = FloatMatrix.allocate(file.allocator(), file.rows(), columns);
    int row = 0;
    for (ColumnFile.Rows part : parts) {
      matrix
          .buffer()
          .setBytes(
              FloatMatrix.bytes(row, columns),
              part.buffers().get(0),
              0,
              FloatMatrix.bytes(part.rows(), columns));
      row += part.rows();
    }
    return matrix;
  }
}
