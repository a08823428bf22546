package org.pecf.engine.model;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.memory.SparseMatrix;
import org.pecf.engine.data.IdMap;

/** The kinds of column in the folder of a model: how each is written to its file and read again. */
final class Columns {
  private Columns() {}

  /** The column of a matrix: each row is a list of float32, one per column of the matrix. */
  static final class Factors {
    private static final ArrowType NUMBER =
        new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);

    /** The most elements of a batch that Arrow's own readers accept. */
    private static final int MOST_ELEMENTS = Integer.MAX_VALUE - 8;

    private Factors() {}

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
                ? FloatMatrix.of(
                    ColumnFile.kept(parts.get(0).buffers().get(0)), file.rows(), columns)
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

  /** The column of a sparse matrix: each row is a list of entries, their columns ascending. */
  static final class Entries {
    private static final Field ENTRY =
        new Field(
            "entry",
            FieldType.notNullable(new ArrowType.Struct()),
            List.of(
                new Field(
                    "column", FieldType.notNullable(new ArrowType.Int(Integer.SIZE, true)), null),
                new Field(
                    "value",
                    FieldType.notNullable(
                        new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE)),
                    null)));

    private Entries() {}

    static Manifest.FileEntry write(ColumnFile file, SparseMatrix matrix) throws IOException {
      Field field =
          new Field("entries", FieldType.notNullable(new ArrowType.List()), List.of(ENTRY));
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

  /** The column of a set of cells: one row per user, the ascending list of the user's items. */
  static final class Cells {
    private static final ArrowType ITEM = new ArrowType.Int(Integer.SIZE, true);

    private Cells() {}

    static Manifest.FileEntry write(ColumnFile file, SparseCells cells) throws IOException {
      Field field =
          new Field(
              "items",
              FieldType.notNullable(new ArrowType.List()),
              List.of(new Field("item", FieldType.notNullable(ITEM), null)));
      return file.write(
          field,
          List.of(
              new ColumnFile.Rows(
                  cells.users(),
                  List.of(cells.users(), cells.count()),
                  List.of(
                      ColumnFile.first(cells.userStarts(), (cells.users() + 1L) * Integer.BYTES),
                      ColumnFile.first(
                          cells.itemsByUser(), (long) cells.count() * Integer.BYTES)))));
    }

    /**
     * Read the column.
     *
     * @param items the number of items of the grid
     * @param count the number of cells
     * @return the cells, owned by the caller
     */
    static SparseCells read(ColumnFile file, int items, int count) throws IOException {
      return file.read(
          (field, parts) -> {
            if (!(field.getType() instanceof ArrowType.List
                && field.getChildren().get(0).getType().equals(ITEM))) {
              throw new IllegalArgumentException("its rows are not lists of int32 but " + field);
            }
            ColumnFile.Rows rows = ColumnFile.only(parts, count, "cells");
            ArrowBuf starts = ColumnFile.kept(rows.buffers().get(0));
            ArrowBuf cells = ColumnFile.kept(rows.buffers().get(1));
            return file.opening().verified()
                ? SparseCells.ofUserOrder(file.allocator(), file.rows(), items, starts, cells)
                : SparseCells.ofUncheckedUserOrder(
                    file.allocator(), file.rows(), items, count, starts, cells);
          });
    }
  }

  /** The column of the ids of one side, as in the source: int64 or utf8, never converted. */
  static final class Ids {
    private Ids() {}

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
}
