package org.pecf.engine.model;

import java.io.IOException;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.pecf.api.memory.SparseCells;

/** The column of a set of cells: one row per user, the ascending list of the user's items. */
final class CellColumn {
  private static final ArrowType ITEM = new ArrowType.Int(Integer.SIZE, true);

  private CellColumn() {}

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
                    ColumnFile.first(cells.itemsByUser(), (long) cells.count() * Integer.BYTES)))));
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
