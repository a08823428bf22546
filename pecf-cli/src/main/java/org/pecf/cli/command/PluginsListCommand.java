package org.pecf.cli.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.pecf.api.plugin.Choices;
import org.pecf.cli.console.TextTable;
import org.pecf.engine.plugin.Diagnostic;
import org.pecf.engine.plugin.PluginReport;
import picocli.CommandLine;

/** The command that lists all providers, and the problems of plugins. */
@CommandLine.Command(
    description = "List what plugins offer, and what is wrong with those that cannot be used.")
public class PluginsListCommand extends Command {
  @Override
  public int run() {
    TextTable table =
        new TextTable().left("id", "kind", "version").right("spi").left("state", "from");
    List<String> problems = new ArrayList<>();
    for (PluginReport report : uncheckedCatalog().plugins()) {
      addRows(table, report);
      for (Diagnostic problem : report.diagnostics()) {
        problems.add(Choices.nameOf(problem.level()) + ": " + report.location() + ": " + problem);
      }
    }
    console().print(table);
    if (!problems.isEmpty()) {
      console().out().println();
      problems.forEach(console().out()::println);
    }
    return 0;
  }

  private static void addRows(TextTable table, PluginReport report) {
    String state = Choices.nameOf(report.state());
    String version = report.version().orElse("-");
    for (PluginReport.Provided provided : report.provided()) {
      table.row(
          provided.id(),
          provided.kind().word(),
          version,
          Integer.toString(provided.spiVersion()),
          state,
          from(report));
    }
    if (report.provided().isEmpty()) {
      table.row("-", "-", version, "-", state, from(report));
    }
  }

  private static String from(PluginReport report) {
    Path name = Path.of(report.location()).getFileName();
    return report.builtIn() || name == null
        ? report.module().orElse(report.location())
        : name.toString();
  }
}
