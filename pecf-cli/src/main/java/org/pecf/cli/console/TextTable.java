package org.pecf.cli.console;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A table of text cells laid out in columns. Where the table is wider than the page, cells are
 * wrapped; if that does not suffice, the columns that do not fit follow below, with the first
 * column repeated. The parser's own table cannot be used: it needs fixed widths, and reads
 * {@code @|bold x|@} in an id as markup.
 */
public final class TextTable {
  private static final String GAP = "  ";
  private static final int LONG_WORD = 24;

  /** The side of a column to which its cells are aligned. */
  public enum Align {
    /** For words, which may be wrapped. */
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
  private record Column(String group, String header, Align align) {}

  /**
   * A row.
   *
   * @param cells its texts
   * @param best the columns in which no row has a better value
   */
  private record Row(List<String> cells, Set<Integer> best) {}

  /**
   * Columns that stand side by side.
   *
   * @param columns their numbers
   * @param titles their headers, the name of a group where that begins
   * @param widths the letters of each
   */
  private record Block(List<Integer> columns, List<String> titles, int... widths) {}

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
   * Add a row with best values, which get a star, and bold where the page shows it.
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

  /** Return the header, a rule and the rows, without trailing blanks. */
  public List<String> lines(Terminal page) {
    List<String> lines = new ArrayList<>();
    for (Block block : blocks(page)) {
      if (!lines.isEmpty()) {
        lines.add("");
      }
      List<String> rules = Arrays.stream(block.widths()).mapToObj("-"::repeat).toList();
      lines.add(line(block, block.titles(), Set.of(), page));
      lines.add(line(block, rules, Set.of(), page));
      lines.addAll(body(block, page));
    }
    return lines;
  }

  /** Return the rows alone, for tables that need no header. */
  public List<String> rows(Terminal page) {
    return blocks(page).stream().flatMap(block -> body(block, page).stream()).toList();
  }

  /**
   * Return the lines of the rows added so far, and forget them, so that a table of any length can
   * be printed as it grows. The header stands before the first rows; columns never get narrower.
   */
  public List<String> next(Terminal page) {
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

  /** Return a cell, with room for a star if its column has one. */
  private String shown(Row row, int column) {
    String mark = compared.contains(column) ? row.best().contains(column) ? "*" : " " : "";
    return row.cells().get(column) + mark;
  }

  /** Return the columns that stand side by side: all, or as many as fit at a time. */
  private List<Block> blocks(Terminal page) {
    measure();
    List<Block> blocks = new ArrayList<>();
    List<Integer> block = new ArrayList<>(List.of(0));
    for (int column = 1; column < columns.size(); column++) {
      block.add(column);
      if (block.size() > 2 && total(least(block)) > page.columns()) {
        List<Integer> next = block.subList(split(block), block.size());
        List<Integer> moved = new ArrayList<>(List.of(0));
        moved.addAll(next);
        next.clear();
        blocks.add(fitted(block, page));
        block = moved;
      }
    }
    blocks.add(fitted(block, page));
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

  /** Return how narrow a column can be: texts are broken at blanks, very long words anywhere. */
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

  private static int total(int... widths) {
    return Arrays.stream(widths).sum() + GAP.length() * (widths.length - 1);
  }

  /** Return the headers of columns of a block, with the name of a group where that begins. */
  private List<String> titles(List<Integer> block) {
    List<String> titles = new ArrayList<>();
    String group = "";
    for (int number : block) {
      Column column = columns.get(number);
      titles.add((column.group().equals(group) ? "" : column.group()) + column.header());
      group = column.group();
    }
    return titles;
  }

  /** Return how narrow the columns of a block can be. */
  private int[] least(List<Integer> block) {
    List<String> titles = titles(block);
    int[] least = new int[block.size()];
    Arrays.setAll(
        least,
        place -> {
          int column = block.get(place);
          return Math.max(Math.min(widths[column], narrowest(column)), length(titles.get(place)));
        });
    return least;
  }

  /** Return a block, with columns of words made narrower until it fits. */
  private Block fitted(List<Integer> block, Terminal page) {
    List<String> titles = titles(block);
    int[] least = least(block);
    int[] fitted = new int[least.length];
    Arrays.setAll(fitted, place -> Math.max(widths[block.get(place)], length(titles.get(place))));
    for (int excess = total(fitted) - page.columns(); excess > 0; excess--) {
      IntStream.range(0, fitted.length)
          .filter(place -> fitted[place] > least[place])
          .boxed()
          .max(Comparator.comparingInt(place -> fitted[place]))
          .ifPresent(widest -> fitted[widest]--);
    }
    return new Block(block, titles, fitted);
  }

  private List<String> body(Block block, Terminal page) {
    List<String> lines = new ArrayList<>();
    for (Row row : rows) {
      List<List<String>> cells = new ArrayList<>();
      for (int place = 0; place < block.widths().length; place++) {
        cells.add(broken(shown(row, block.columns().get(place)), block.widths()[place]));
      }
      int height = cells.stream().mapToInt(List::size).max().orElse(1);
      for (int k = 0; k < height; k++) {
        int line = k;
        List<String> parts =
            cells.stream().map(cell -> line < cell.size() ? cell.get(line) : "").toList();
        lines.add(line(block, parts, row.best(), page));
      }
    }
    return lines;
  }

  private String line(Block block, List<String> cells, Set<Integer> best, Terminal page) {
    StringBuilder line = new StringBuilder();
    for (int place = 0; place < cells.size(); place++) {
      int column = block.columns().get(place);
      String cell = cells.get(place);
      String blanks = " ".repeat(Math.max(0, block.widths()[place] - length(cell)));
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
