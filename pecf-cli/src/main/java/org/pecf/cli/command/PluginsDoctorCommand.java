package org.pecf.cli.command;

import java.util.ArrayList;
import java.util.List;
import org.pecf.cli.console.Console;
import org.pecf.cli.report.Diagnostics;
import org.pecf.platform.plugin.Diagnostic;
import org.pecf.tools.plugin.PluginDoctor;
import picocli.CommandLine;

/** The command that explains problems of plugins and of their environment. */
@CommandLine.Command(
    name = "doctor",
    abbreviateSynopsis = true,
    description = {
      "Explain what is wrong with plugins, backends and Java, and how to fix it.",
      "Exit code 3 if something does not work."
    })
public final class PluginsDoctorCommand extends Command {
  /** Create the command. */
  public PluginsDoctorCommand(Console console) {
    super(console);
  }

  @Override
  public int run() {
    List<Diagnostic> diagnostics = new ArrayList<>(PluginDoctor.environment());
    diagnostics.addAll(PluginDoctor.plugins(uncheckedCatalog()));
    Diagnostics.lines(diagnostics).forEach(console().out()::println);
    return Diagnostics.exitCode(diagnostics);
  }
}
