package org.pecf.study.page;

import java.util.ArrayList;
import java.util.List;

/**
 * A table.
 *
 * @param caption the words above it
 * @param heads the names of its columns
 * @param rows the cells, one list per row
 */
public record Table(String caption, List<String> heads, List<List<Cell>> rows)
    implements Page.Block {
  public Table {
    heads = List.copyOf(heads);
    rows = rows.stream().map(List::copyOf).toList();
    for (List<Cell> row : rows) {
      if (row.size() != heads.size()) {
        throw new IllegalArgumentException(
            "a row of " + row.size() + " cells in a table of " + heads.size() + " columns");
      }
    }
  }

  /**
   * A cell.
   *
   * @param text the words or the figure
   * @param marked whether it stands out
   */
  public record Cell(String text, boolean marked) {
    /** Make a cell that does not stand out. */
    public Cell(String text) {
      this(text, false);
    }
  }

  /** Make a table of figures; those of a column get the same number of decimals. */
  static Table ofFigures(String caption, List<String> heads, List<List<String>> rows) {
    List<List<String>> columns = new ArrayList<>();
    for (int column = 0; column < heads.size(); column++) {
      int place = column;
      columns.add(Figure.aligned(rows.stream().map(row -> row.get(place)).toList()));
    }
    List<List<String>> aligned = new ArrayList<>();
    for (int row = 0; row < rows.size(); row++) {
      int number = row;
      aligned.add(columns.stream().map(column -> column.get(number)).toList());
    }
    return of(caption, heads, aligned);
  }

  /** Make a table in which no cell stands out. */
  public static Table of(String caption, List<String> heads, List<List<String>> rows) {
    return new Table(
        caption, heads, rows.stream().map(row -> row.stream().map(Cell::new).toList()).toList());
  }
}
