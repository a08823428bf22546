package org.pecf.cli.command;

import org.pecf.cli.console.Console;
import picocli.CommandLine;

/** Describe or convert ratings. Without a further word, describe them. */
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
