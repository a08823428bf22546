package org.pecf.cli.command;

import java.util.ArrayList;
import java.util.List;
import org.pecf.cli.console.Console;
import org.pecf.cli.report.Findings;
import org.pecf.tools.plugin.Finding;
import org.pecf.tools.plugin.PluginDoctor;
import picocli.CommandLine;

/** Explain what is wrong with plugins and with what they run in. */
@CommandLine.Command(
    name = "doctor",
    abbreviateSynopsis = true,
    description = {
      "Explain what is wrong with plugins, backends and Java, and how to mend it.",
      "Exit code 3 if something does not work."
    })
public final class PluginsDoctorCommand extends Command {
  /** Create the command. */
  public PluginsDoctorCommand(Console console) {
    super(console);
  }

  @Override
  public int run() {
    List<Finding> findings = new ArrayList<>(PluginDoctor.surroundings());
    findings.addAll(PluginDoctor.plugins(catalog()));
    Findings.lines(findings).forEach(console().out()::println);
    return Findings.exitCode(findings);
  }
}
