package org.pecf.cli.command;

import java.util.Optional;
import org.pecf.cli.console.Console;
import org.pecf.cli.option.SettingOptions;
import org.pecf.cli.option.WorkOptions;
import picocli.CommandLine.Mixin;

/**
 * A command that reads data or models and takes the resources for that, but trains nothing anew.
 */
abstract class WorkCommand extends Command {
  @Mixin private WorkOptions options;

  /**
   * Create the command.
   *
   * @param console where it writes to
   * @param options the resources that have an effect on it
   */
  WorkCommand(Console console, WorkOptions options) {
    super(console);
    this.options = options;
  }

  @Override
  public Optional<SettingOptions> settings() {
    return Optional.of(options.settings());
  }

  /** Return the resources to work with. */
  WorkOptions options() {
    return options;
  }
}
