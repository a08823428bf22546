package org.pecf.cli.command;

import org.pecf.cli.console.Console;
import picocli.CommandLine;

/** The commands for plugins; without a further word it lists them. */
@CommandLine.Command(
    name = "plugins",
    abbreviateSynopsis = true,
    description = "List, describe or verify plugins.")
public final class PluginsCommand extends PluginsListCommand {
  /** Create the command. */
  public PluginsCommand(Console console) {
    super(console);
  }
}
