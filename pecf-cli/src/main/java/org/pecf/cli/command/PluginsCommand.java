package org.pecf.cli.command;

import org.pecf.cli.console.Console;
import picocli.CommandLine;

/** Tell what plugins there are. Without a further word, list them. */
@CommandLine.Command(
    name = "plugins",
    abbreviateSynopsis = true,
    description = "List, describe, verify, install or remove plugins.")
public final class PluginsCommand extends PluginsListCommand {
  /** Create the command. */
  public PluginsCommand(Console console) {
    super(console);
  }
}
