package org.pecf.engine.model;

import java.io.IOException;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.pecf.api.memory.FloatMatrix;

/** The column of a matrix: each row is a list of float32, one per column of the matrix. */
final class FactorColumn {
  private FactorColumn() {}

  static Manifest.FileEntry write(ColumnFile file, FloatMatrix matrix) throws IOException {
    int columns = matrix.columns();
    if (columns < 1) {
      throw new IllegalArgumentException("a member without factors cannot be stored");
    }
    ArrowType number = new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
    Field field =
        new Field(
            "factors",
            FieldType.notNullable(new ArrowType.FixedSizeList(columns)),
            List.of(new Field("item", FieldType.notNullable(number), null)));
    int batch = (int) Math.max(1, ColumnFile.BATCH_BYTES / FloatMatrix.bytes(1, columns));
    return file.write(
        field,
        (row, vector) ->
            fill(matrix, row, Math.min(batch, matrix.rows() - row), (FixedSizeListVector) vector));
  }

  private static void fill(FloatMatrix matrix, int row, int rows, FixedSizeListVector lists) {
    int columns = matrix.columns();
    lists.setInitialCapacity(rows);
    lists.allocateNew();
    Float4Vector numbers = (Float4Vector) lists.getDataVector();
    numbers
        .getDataBuffer()
        .setBytes(
            0, matrix.buffer(), FloatMatrix.bytes(row, columns), FloatMatrix.bytes(rows, columns));
    setAll(numbers.getValidityBuffer(), rows * columns);
    setAll(lists.getValidityBuffer(), rows);
    lists.setValueCount(rows);
  }

  /** Mark all of a vector's values as present. */
  private static void setAll(ArrowBuf validity, int count) {
    validity.setOne(0L, (long) count / Byte.SIZE);
    for (int k = count - count % Byte.SIZE; k < count; k++) {
      BitVectorHelper.setBit(validity, k);
    }
  }

  /**
   * Read the column into a matrix of its size.
   *
   * @param matrix Modified.
   */
  static void read(ColumnFile file, FloatMatrix matrix) throws IOException {
    file.read((row, vector) -> take(row, vector, matrix));
  }

  private static void take(int row, FieldVector vector, FloatMatrix matrix) {
    int columns = matrix.columns();
    if (!(vector instanceof FixedSizeListVector lists
        && lists.getListSize() == columns
        && lists.getDataVector() instanceof Float4Vector numbers)) {
      throw new IllegalArgumentException(
          "its rows are not lists of " + columns + " float32 but " + vector.getField());
    }
    matrix
        .buffer()
        .setBytes(
            FloatMatrix.bytes(row, columns),
            numbers.getDataBuffer(),
            0,
            FloatMatrix.bytes(lists.getValueCount(), columns));
  }
}
