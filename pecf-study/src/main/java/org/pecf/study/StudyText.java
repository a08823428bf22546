package org.pecf.study;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import org.pecf.study.page.Chart;
import org.pecf.study.page.Chart.Lines;
import org.pecf.study.page.Page;
import org.pecf.study.page.Page.Block;
import org.pecf.study.page.Page.Block.Words;
import org.pecf.study.page.Table;

/** The report of a study as text: lines of Markdown, and the tables and figures of its page. */
public final class StudyText {
  private final List<Block> blocks = new ArrayList<>();

  StudyText(String title) {
    line("# " + title);
  }

  /** Add a line. */
  void line(String line) {
    blocks.add(new Words(line));
  }

  /** Add an empty line and a paragraph. */
  void paragraph(String words) {
    line("");
    line(words);
  }

  /** Add a heading between empty lines. */
  void heading(String title) {
    paragraph("## " + title);
    line("");
  }

  /** Add the words and tables of a section of the page, words first. */
  void section(Page.Section section) {
    heading(section.title());
    for (Block block : section.blocks()) {
      if (block instanceof Words words) {
        line(words.text());
        line("");
      }
    }
    section.blocks().stream().filter(Table.class::isInstance).forEach(blocks::add);
  }

  /** Add the points of a chart: a row for each place along x, a column for each line. */
  void figure(Lines chart) {
    heading(chart.title());
    List<String> heads = new ArrayList<>(List.of(chart.xName()));
    chart.series().forEach(line -> heads.add(line.name()));
    SortedSet<Double> places = new TreeSet<>();
    chart.series().forEach(line -> line.points().forEach(point -> places.add(point[0])));
    List<List<String>> rows = new ArrayList<>();
    for (double place : places) {
      List<String> row = new ArrayList<>(List.of(StudyPlan.plain(place)));
      for (Chart.Series line : chart.series()) {
        row.add(
            line.points().stream()
                .filter(point -> point[0] == place)
                .findFirst()
                .map(point -> String.format(Locale.ROOT, "%.4f", point[1]))
                .orElse(""));
      }
      rows.add(row);
    }
    blocks.add(Table.of(chart.title(), heads, rows));
  }

  /** Return the lines and tables. */
  public List<Block> blocks() {
    return Collections.unmodifiableList(blocks);
  }

  /** Return the text as Markdown. */
  public String markdown() {
    StringBuilder text = new StringBuilder();
    for (Block block : blocks) {
      if (block instanceof Words words) {
        text.append(words.text()).append('\n');
      } else if (block instanceof Table table) {
        row(text, table.heads());
        text.append("|---|").append("---:|".repeat(table.heads().size() - 1)).append('\n');
        for (List<Table.Cell> row : table.rows()) {
          row(text, row.stream().map(StudyText::markdown).toList());
        }
      }
    }
    return text.toString();
  }

  private static String markdown(Table.Cell cell) {
    return cell.marked() ? "**" + cell.text() + "**" : cell.text();
  }

  private static void row(StringBuilder text, List<String> cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }
}
