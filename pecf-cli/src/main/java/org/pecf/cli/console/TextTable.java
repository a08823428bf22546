package org.pecf.cli.console;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A table of text cells laid out in columns. Where it is wider than the page, words go on in the
 * next line of their cell; where that does not suffice, columns that do not fit follow below, each
 * time beside the first column again.
 */
public final class TextTable {
  private static final String GAP = "  ";
  private static final int LONG_WORD = 24;

  /** The side of its column on which a cell stands. */
  public enum Align {
    /** For words, which may be broken into several lines. */
    LEFT,
    /** For numbers. */
    RIGHT
  }

  /**
   * A column.
   *
   * @param group the common beginning of the headers of neighbouring columns, shown once
   * @param header the rest of the header
   */
  private record Column(String group, String header, Align align) {
    String header(boolean first) {
      return first ? group + header : header;
    }
  }

  /**
   * A row.
   *
   * @param cells its texts
   * @param best the columns in which no row has a better value
   */
  private record Row(List<String> cells, Set<Integer> best) {}

  private final List<Column> columns = new ArrayList<>();
  private final List<Row> rows = new ArrayList<>();
  private final Set<Integer> compared = new HashSet<>();
  private int[] widths = {};
  private boolean begun;

  /** Add columns of words. */
  public TextTable left(String... headers) {
    Arrays.stream(headers).forEach(header -> column(header, Align.LEFT));
    return this;
  }

  /** Add columns of numbers. */
  public TextTable right(String... headers) {
    Arrays.stream(headers).forEach(header -> column(header, Align.RIGHT));
    return this;
  }

  /** Add a column. */
  public TextTable column(String header, Align align) {
    return column("", header, align);
  }

  /**
   * Add a column of a group.
   *
   * @param group the beginning that its header shares with its neighbours, shown once
   * @param header the rest of its header
   */
  public TextTable column(String group, String header, Align align) {
    columns.add(new Column(Console.plain(group), Console.plain(header), align));
    return this;
  }

  /** Add a row of as many cells as there are columns. */
  public TextTable row(String... cells) {
    return row(List.of(cells));
  }

  /** Add a row of as many cells as there are columns. */
  public TextTable row(List<String> cells) {
    return row(cells, Set.of());
  }

  /**
   * Add a row with best values, which stand out: by a star, and in bold where the page has that.
   *
   * @param best the numbers of the columns with a value that no row surpasses, from 0. Not
   *     modified.
   */
  public TextTable row(List<String> cells, Set<Integer> best) {
    if (cells.size() != columns.size()) {
      throw new IllegalArgumentException(
          cells.size() + " cells do not fit " + columns.size() + " columns");
    }
    rows.add(new Row(cells.stream().map(Console::plain).toList(), Set.copyOf(best)));
    compared.addAll(best);
    return this;
  }

  /** Return how many rows there are. */
  public int size() {
    return rows.size();
  }

  /** Return the header, a rule and the rows, without blanks at the ends of lines. */
  public List<String> lines(OutputPage page) {
    measure();
    List<String> lines = new ArrayList<>();
    for (List<Integer> block : blocks(page)) {
      if (!lines.isEmpty()) {
        lines.add("");
      }
      lines.addAll(header(block, page));
      lines.addAll(body(block, page));
    }
    return lines;
  }

  /** Return the rows alone, for tables that need no header. */
  public List<String> rows(OutputPage page) {
    measure();
    return blocks(page).stream().flatMap(block -> body(block, page).stream()).toList();
  }

  /**
   * Return the lines of the rows added so far, and forget them, so that a table of any length can
   * be printed as it grows. The header stands before the first rows; columns never get narrower.
   */
  public List<String> next(OutputPage page) {
    measure();
    boolean headed = begun && blocks(page).size() == 1;
    List<String> lines = headed ? rows(page) : lines(page);
    rows.clear();
    begun = true;
    return lines;
  }

  private void measure() {
    if (widths.length != columns.size()) {
      widths = new int[columns.size()];
    }
    for (Row row : rows) {
      for (int column = 0; column < widths.length; column++) {
        widths[column] = Math.max(widths[column], length(shown(row, column)));
      }
    }
  }

  /** Return a cell with room for a star if its column has one anywhere. */
  private String shown(Row row, int column) {
    String mark = compared.contains(column) ? row.best().contains(column) ? "*" : " " : "";
    return row.cells().get(column) + mark;
  }

  /** Return the columns that stand side by side: all, or as many as fit at a time. */
  private List<List<Integer>> blocks(OutputPage page) {
    int[] least = widths.clone();
    for (int column = 0; column < least.length; column++) {
      least[column] = Math.min(least[column], narrowest(column));
    }
    List<List<Integer>> blocks = new ArrayList<>();
    List<Integer> block = new ArrayList<>(List.of(0));
    for (int column = 1; column < columns.size(); column++) {
      block.add(column);
      if (block.size() > 2 && total(block, least) > page.columns()) {
        List<Integer> next = block.subList(split(block), block.size());
        List<Integer> moved = new ArrayList<>(List.of(0));
        moved.addAll(next);
        next.clear();
        blocks.add(block);
        block = moved;
      }
    }
    blocks.add(block);
    return blocks;
  }

  /** Return the place at which to split a block whose last column does not fit. */
  private int split(List<Integer> block) {
    int last = block.size() - 1;
    int place = last;
    String group = columns.get(block.get(last)).group();
    while (!group.isEmpty() && columns.get(block.get(place - 1)).group().equals(group)) {
      place--;
    }
    return place > 1 ? place : last;
  }

  /** Return how narrow a column can be: words may be broken at blanks, very long ones anywhere. */
  private int narrowest(int column) {
    if (columns.get(column).align() == Align.RIGHT) {
      return widths[column];
    }
    return rows.stream()
        .flatMap(row -> Arrays.stream(row.cells().get(column).split(" ")))
        .mapToInt(TextTable::length)
        .filter(length -> length <= LONG_WORD)
        .max()
        .orElse(LONG_WORD);
  }

  private int total(List<Integer> block, int[] cells) {
    int total = GAP.length() * (block.size() - 1);
    for (int place = 0; place < block.size(); place++) {
      total += Math.max(cells[block.get(place)], length(title(block, place)));
    }
    return total;
  }

  /** Return the header of a column of a block, with its group's name if that begins here. */
  private String title(List<Integer> block, int place) {
    Column column = columns.get(block.get(place));
    boolean first = place == 0 || !columns.get(block.get(place - 1)).group().equals(column.group());
    return column.header(first);
  }

  /** Return the widths of a block's columns: words take less if all would not fit. */
  private int[] fitted(List<Integer> block, OutputPage page) {
    int[] fitted = widths.clone();
    int[] narrowest = IntStream.range(0, columns.size()).map(this::narrowest).toArray();
    for (int excess = total(block, fitted) - page.columns(); excess > 0; excess--) {
      int widest = -1;
      for (int place = 0; place < block.size(); place++) {
        int column = block.get(place);
        if (fitted[column] > Math.max(narrowest[column], length(title(block, place)))
            && (widest < 0 || fitted[column] > fitted[widest])) {
          widest = column;
        }
      }
      if (widest < 0) {
        break;
      }
      fitted[widest]--;
    }
    for (int place = 0; place < block.size(); place++) {
      int column = block.get(place);
      fitted[column] = Math.max(fitted[column], length(title(block, place)));
    }
    return fitted;
  }

  private List<String> header(List<Integer> block, OutputPage page) {
    int[] fitted = fitted(block, page);
    List<String> titles = new ArrayList<>();
    List<String> rules = new ArrayList<>();
    for (int place = 0; place < block.size(); place++) {
      titles.add(title(block, place));
      rules.add("-".repeat(fitted[block.get(place)]));
    }
    return List.of(
        line(block, fitted, titles, Set.of(), page), line(block, fitted, rules, Set.of(), page));
  }

  private List<String> body(List<Integer> block, OutputPage page) {
    int[] fitted = fitted(block, page);
    List<String> lines = new ArrayList<>();
    for (Row row : rows) {
      List<List<String>> cells = new ArrayList<>();
      for (int column : block) {
        cells.add(broken(shown(row, column), fitted[column]));
      }
      int height = cells.stream().mapToInt(List::size).max().orElse(1);
      for (int k = 0; k < height; k++) {
        List<String> parts = new ArrayList<>();
        for (List<String> cell : cells) {
          parts.add(k < cell.size() ? cell.get(k) : "");
        }
        lines.add(line(block, fitted, parts, row.best(), page));
      }
    }
    return lines;
  }

  private String line(
      List<Integer> block, int[] fitted, List<String> cells, Set<Integer> best, OutputPage page) {
    StringBuilder line = new StringBuilder();
    for (int place = 0; place < block.size(); place++) {
      int column = block.get(place);
      String cell = cells.get(place);
      String blanks = " ".repeat(Math.max(0, fitted[column] - length(cell)));
      String text = best.contains(column) ? page.emphasised(cell) : cell;
      line.append(place == 0 ? "" : GAP);
      line.append(columns.get(column).align() == Align.LEFT ? text + blanks : blanks + text);
    }
    return line.toString().stripTrailing();
  }

  /** Break a text at blanks, and inside words that are too long, into lines of a width. */
  public static List<String> broken(String text, int width) {
    List<String> lines = new ArrayList<>();
    String rest = text;
    while (length(rest) > width) {
      int end = rest.offsetByCodePoints(0, width);
      int blank = rest.lastIndexOf(' ', end);
      int cut = blank > 0 ? blank : end;
      lines.add(rest.substring(0, cut));
      rest = rest.substring(cut).stripLeading();
    }
    lines.add(rest);
    return lines;
  }

  private static int length(String cell) {
    return cell.codePointCount(0, cell.length());
  }
}
