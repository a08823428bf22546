package org.pecf.cli.command;

import java.util.Optional;
import org.pecf.cli.console.Console;
import org.pecf.cli.option.SettingOptions;
import org.pecf.cli.option.TrainingOptions;
import org.pecf.engine.run.TrainingRequest;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;

/** Train and evaluate an ensemble. */
@CommandLine.Command(
    name = "train",
    abbreviateSynopsis = true,
    description = "Train and evaluate an ensemble; the word itself may be left out.")
public class TrainCommand extends Command {
  @Mixin private TrainingOptions options = new TrainingOptions();

  /** Create the command. */
  public TrainCommand(Console console) {
    super(console);
  }

  @Override
  public Optional<SettingOptions> settings() {
    return Optional.of(options.settings());
  }

  @Override
  public int run() {
    TrainingRequest request = options.request(catalog());
    console().out().println(request);
    return 0;
  }
}
