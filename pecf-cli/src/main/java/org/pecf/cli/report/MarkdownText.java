package org.pecf.cli.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.pecf.cli.console.Terminal;
import org.pecf.cli.console.TextTable;
import org.pecf.cli.console.TextTable.Align;

/** A report in Markdown as people read it on a terminal: tables in columns, no line too long. */
public final class MarkdownText {
  private static final String BOLD = "**";

  private MarkdownText() {}

  /** Return the lines of a report for a page; files and pipes get the Markdown itself. */
  public static List<String> lines(String markdown, Terminal page) {
    List<String> source = markdown.lines().toList();
    if (page.equals(Terminal.none())) {
      return source;
    }
    List<String> lines = new ArrayList<>();
    for (int k = 0; k < source.size(); k++) {
      if (source.get(k).startsWith("|")) {
        int end = k;
        while (end < source.size() && source.get(end).startsWith("|")) {
          end++;
        }
        lines.addAll(table(source.subList(k, end)).lines(page));
        k = end - 1;
      } else {
        lines.addAll(TextTable.broken(source.get(k), page.columns()));
      }
    }
    return lines;
  }

  private static TextTable table(List<String> source) {
    List<String> headers = cells(source.get(0));
    List<String> rule = cells(source.get(1));
    TextTable table = new TextTable();
    for (int column = 0; column < headers.size(); column++) {
      table.column(headers.get(column), rule.get(column).endsWith(":") ? Align.RIGHT : Align.LEFT);
    }
    for (String line : source.subList(2, source.size())) {
      List<String> cells = new ArrayList<>(cells(line));
      Set<Integer> best = new HashSet<>();
      for (int column = 0; column < cells.size(); column++) {
        if (cells.get(column).startsWith(BOLD)) {
          cells.set(column, cells.get(column).replace(BOLD, ""));
          best.add(column);
        }
      }
      table.row(cells, best);
    }
    return table;
  }

  private static List<String> cells(String line) {
    String inner = line.substring(1, line.lastIndexOf('|'));
    return Arrays.stream(inner.split("\\|", -1)).map(String::strip).toList();
  }
}
