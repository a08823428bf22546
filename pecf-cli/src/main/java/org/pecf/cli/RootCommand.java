package org.pecf.cli;

import org.pecf.cli.command.TrainCommand;
import picocli.CommandLine;

/** The command that trains when no other is named. */
@CommandLine.Command(
    customSynopsis = {
      "pecf-run [train] [OPTIONS]      train and evaluate an ensemble",
      "       pecf-run COMMAND [OPTIONS]",
      "       pecf-run help COMMAND           the options of a command",
    },
    description = {
      "%nTrain, measure and use recommenders: ensembles of collaborative filters.",
      "Without options it trains and evaluates on data that comes with it."
    },
    footer = {
      "%nExamples:",
      "  pecf-run --data ratings.csv --positive '>=4' --rank 50 --out model",
      "  pecf-run recommend model --user 42 --top 10",
      "  pecf-run plugins describe wmf",
    })
final class RootCommand extends TrainCommand {}
