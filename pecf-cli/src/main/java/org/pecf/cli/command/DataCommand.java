package org.pecf.cli.command;

import org.pecf.cli.console.Console;
import picocli.CommandLine;

/** The command that describes or converts ratings; without a further word it describes them. */
@CommandLine.Command(
    name = "data",
    abbreviateSynopsis = true,
    description = "Describe ratings, or convert them.")
public final class DataCommand extends DataDescribeCommand {
  /** Create the command. */
  public DataCommand(Console console) {
    super(console);
  }
}
