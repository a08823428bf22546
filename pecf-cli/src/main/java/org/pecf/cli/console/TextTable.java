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

  /** Return the header, a rule and the rows, without blanks at the ends of lines. */
  public List<String> lines() {
    int[] widths = new int[headers.size()];
    measure(headers, widths);
    rows.forEach(row -> measure(row, widths));
    List<String> lines = new ArrayList<>();
    lines.add(line(headers, widths));
    List<String> rules = new ArrayList<>();
    for (int width : widths) {
      rules.add("-".repeat(width));
    }
    lines.add(line(rules, widths));
    rows.forEach(row -> lines.add(line(row, widths)));
    return lines;
  }

  private static void measure(List<String> cells, int[] widths) {
    for (int column = 0; column < widths.length; column++) {
      widths[column] = Math.max(widths[column], length(cells.get(column)));
    }
  }

  private String line(List<String> cells, int[] widths) {
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
