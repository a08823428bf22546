package org.pecf.cli.command;

import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.pecf.api.plugin.Option;
import org.pecf.cli.console.TextTable;
import org.pecf.cli.console.TextTable.Align;
import org.pecf.cli.console.Version;
import org.pecf.cli.option.RecordOptions;
import org.pecf.engine.file.OutputFile;
import org.pecf.study.page.Table;
import org.pecf.study.report.RunComparison;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

/** The command that shows several trainings beside each other. */
@CommandLine.Command(
    description =
        "Compare trainings by their output folders: metrics with intervals, tests of the first"
            + " against the others over the same users, and the options that differ.",
    footer = {
      "",
      "For example:",
      "  pecf-run compare model-1 model-2 --out comparison.html",
    })
public final class CompareCommand extends Command {
  @Parameters(
      paramLabel = "RUN",
      arity = "1..*",
      description = "The output folders of trainings (see train --out), two or more.")
  private List<Path> folders = new ArrayList<>();

  /** The page. */
  private record Options(
      @Option(value = "Write a page with charts to this file as well", label = "FILE")
          Optional<Path> out) {}

  private final RecordOptions<Options> options = add(MethodHandles.lookup(), Options.class);

  @Override
  public int run() {
    Optional<Path> out = options.get().out();
    out.ifPresent(file -> OutputFile.at(file).check());
    RunComparison comparison = RunComparison.read(folders);
    print(comparison.metrics());
    print(comparison.tests());
    print(comparison.differences());
    out.ifPresent(
        file -> {
          comparison.page(Version.number()).write(file);
          console().out().println("page in " + file);
        });
    return 0;
  }

  private void print(Table table) {
    if (table.rows().isEmpty()) {
      return;
    }
    TextTable text = new TextTable();
    Legend legend = new Legend();
    table.heads().forEach(head -> text.column(legend.shorten(head), Align.LEFT));
    table
        .rows()
        .forEach(
            row ->
                text.row(
                    row.stream()
                        .map(cell -> legend.shorten(cell.text()) + (cell.marked() ? " *" : ""))
                        .toList()));
    console().out().println(table.caption() + ":");
    console().print(text);
    legend.lines().forEach(console().out()::println);
    console().out().println();
  }

  /**
   * The texts that are too long for a table, such as plans of many filters, by the labels that
   * stand for them there.
   */
  static final class Legend {
    private static final int LONGEST = 40;

    private final Map<String, String> labels = new LinkedHashMap<>();

    /** Return a text if it is short, or else its label: the same one for the same text. */
    String shorten(String text) {
      return text.length() <= LONGEST
          ? text
          : labels.computeIfAbsent(text, added -> "[" + (labels.size() + 1) + "]");
    }

    /**
     * Return the lines that say what labels stand for, each part of a list on a line of its own.
     */
    List<String> lines() {
      List<String> lines = new ArrayList<>();
      labels.forEach(
          (text, label) -> {
            String before = label + " ";
            for (String part : text.split(", ", -1)) {
              lines.add(before + part);
              before = " ".repeat(before.length());
            }
          });
      return lines;
    }
  }
}
