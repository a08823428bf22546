package org.pecf.cli.console;

import java.util.ArrayList;
import java.util.List;

/** A table of text cells laid out in columns. */
public final class TextTable {
  private static final String GAP = "  ";

  /** The side of its column on which a cell stands. */
  public enum Align {
    /** For words. */
    LEFT,
    /** For numbers. */
    RIGHT
  }

  private final List<String> headers = new ArrayList<>();
  private final List<Align> alignments = new ArrayList<>();
  private final List<List<String>> rows = new ArrayList<>();
  private int[] widths = {};

  /** Add a column. */
  public TextTable column(String header, Align align) {
    headers.add(header);
    alignments.add(align);
    return this;
  }

  /** Add a row of as many cells as there are columns. */
  public TextTable row(List<String> cells) {
    if (cells.size() != headers.size()) {
      throw new IllegalArgumentException(
          cells.size() + " cells do not fit " + headers.size() + " columns");
    }
    rows.add(List.copyOf(cells));
    return this;
  }

  /** Return how many rows there are. */
  public int size() {
    return rows.size();
  }

  /** Return the header, a rule and the rows, without blanks at the ends of lines. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    measure();
    lines.add(line(headers));
    List<String> rules = new ArrayList<>();
    for (int width : widths) {
      rules.add("-".repeat(width));
    }
    lines.add(line(rules));
    rows.forEach(row -> lines.add(line(row)));
    return lines;
  }

  /**
   * Return the lines of the rows added so far, and forget them, so that a table of any length can
   * be printed as it grows. The header stands before the first rows; columns never get narrower.
   */
  public List<String> next() {
    boolean first = widths.length == 0;
    List<String> lines = lines();
    rows.clear();
    return first ? lines : lines.subList(2, lines.size());
  }

  private void measure() {
    if (widths.length != headers.size()) {
      widths = new int[headers.size()];
      measure(headers, widths);
    }
    rows.forEach(row -> measure(row, widths));
  }

  private static void measure(List<String> cells, int[] widths) {
    for (int column = 0; column < widths.length; column++) {
      widths[column] = Math.max(widths[column], length(cells.get(column)));
    }
  }

  private String line(List<String> cells) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < widths.length; column++) {
      String cell = cells.get(column);
      String blanks = " ".repeat(widths[column] - length(cell));
      line.append(column == 0 ? "" : GAP);
      line.append(alignments.get(column) == Align.LEFT ? cell + blanks : blanks + cell);
    }
    return line.toString().stripTrailing();
  }

  private static int length(String cell) {
    return cell.codePointCount(0, cell.length());
  }
}
