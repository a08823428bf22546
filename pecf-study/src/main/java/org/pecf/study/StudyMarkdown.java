package org.pecf.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import org.pecf.study.page.Block.Words;
import org.pecf.study.page.Chart;
import org.pecf.study.page.Chart.Lines;
import org.pecf.study.page.Page;
import org.pecf.study.page.Table;

/** The Markdown of a study: paragraphs, and the tables and figures of its page. */
final class StudyMarkdown {
  private final StringBuilder text = new StringBuilder();

  StudyMarkdown(String title) {
    line("# " + title);
  }

  /** Add a line, which is a paragraph or an item of a list. */
  void line(String line) {
    text.append(line).append('\n');
  }

  /** Add an empty line and a paragraph. */
  void paragraph(String words) {
    line("");
    line(words);
  }

  /** Add a list after an empty line. */
  void list(List<String> items) {
    line("");
    items.forEach(item -> line("- " + item));
  }

  void heading(String title) {
    line("");
    line("## " + title);
    line("");
  }

  /** Add the words and tables of a section of the page, words first. */
  void section(Page.Section section) {
    heading(section.title());
    section.blocks().stream()
        .filter(Words.class::isInstance)
        .forEach(
            words -> {
              line(((Words) words).text());
              line("");
            });
    section.blocks().stream()
        .filter(Table.class::isInstance)
        .forEach(block -> table((Table) block));
  }

  private void table(Table table) {
    head(table.heads());
    for (List<Table.Cell> row : table.rows()) {
      row(
          row.stream()
              .map(cell -> cell.marked() ? "**" + cell.text() + "**" : cell.text())
              .toList());
    }
  }

  /** Add the points of a chart: a row for each place along x, a column for each line. */
  void figure(Lines chart) {
    heading(chart.title());
    List<String> heads = new ArrayList<>(List.of(chart.xName()));
    chart.series().forEach(line -> heads.add(line.name()));
    head(heads);
    SortedSet<Double> places = new TreeSet<>();
    chart.series().forEach(line -> line.points().forEach(point -> places.add(point[0])));
    for (double place : places) {
      List<String> cells = new ArrayList<>(List.of(StudyPlan.plain(place)));
      for (Chart.Series line : chart.series()) {
        cells.add(
            line.points().stream()
                .filter(point -> point[0] == place)
                .findFirst()
                .map(point -> String.format(Locale.ROOT, "%.4f", point[1]))
                .orElse(""));
      }
      row(cells);
    }
  }

  private void head(List<String> heads) {
    row(heads);
    line("|---|" + "---:|".repeat(heads.size() - 1));
  }

  private void row(List<String> cells) {
    line("| " + String.join(" | ", cells) + " |");
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
