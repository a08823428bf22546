package org.pecf.cli;

import java.util.List;
import org.pecf.cli.command.BackendsCommand;
import org.pecf.cli.command.BackendsSelftestCommand;
import org.pecf.cli.command.Command;
import org.pecf.cli.command.CompareCommand;
import org.pecf.cli.command.DataConvertCommand;
import org.pecf.cli.command.DataDescribeCommand;
import org.pecf.cli.command.EvaluateCommand;
import org.pecf.cli.command.ExplainCommand;
import org.pecf.cli.command.PluginsDescribeCommand;
import org.pecf.cli.command.PluginsListCommand;
import org.pecf.cli.command.PluginsVerifyCommand;
import org.pecf.cli.command.RecommendCommand;
import org.pecf.cli.command.ReproduceCommand;
import org.pecf.cli.command.ServeCommand;
import org.pecf.cli.command.SimilarCommand;
import org.pecf.cli.command.TrainCommand;
import org.pecf.cli.command.TuneCommand;
import org.pecf.cli.command.UpdateCommand;
import org.pecf.cli.console.Console;
import picocli.CommandLine;

/**
 * The commands, by the words that name them. Only the command that is named is created: the
 * parser's own sub-commands, which read the options of all, make a start a third longer.
 */
final class Commands {
  private static final String BLANK = " ";

  /** The words of every command, in the order to show them; a group goes before its members. */
  private static final List<String> WORDS =
      List.of(
          "train",
          "tune",
          "reproduce",
          "compare",
          "evaluate",
          "update",
          "recommend",
          "similar",
          "explain",
          "serve",
          "data",
          "data describe",
          "data convert",
          "plugins",
          "plugins list",
          "plugins describe",
          "plugins verify",
          "backends",
          "backends selftest");

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
  static final class Root extends TrainCommand {}

  private Commands() {}

  /**
   * Create a command.
   *
   * @param words the words that name it; none for the one that trains
   */
  static Command create(String words, Console console) {
    try {
      Command command = type(words).getDeclaredConstructor().newInstance();
      command.use(console);
      return command;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("every command can be created", e);
    }
  }

  private static Class<? extends Command> type(String words) {
    return switch (words) {
      case "" -> Root.class;
      case "train" -> TrainCommand.class;
      case "tune" -> TuneCommand.class;
      case "reproduce" -> ReproduceCommand.class;
      case "compare" -> CompareCommand.class;
      case "evaluate" -> EvaluateCommand.class;
      case "update" -> UpdateCommand.class;
      case "recommend" -> RecommendCommand.class;
      case "similar" -> SimilarCommand.class;
      case "explain" -> ExplainCommand.class;
      case "serve" -> ServeCommand.class;
      case "data", "data describe" -> DataDescribeCommand.class;
      case "data convert" -> DataConvertCommand.class;
      case "plugins", "plugins list" -> PluginsListCommand.class;
      case "plugins describe" -> PluginsDescribeCommand.class;
      case "plugins verify" -> PluginsVerifyCommand.class;
      case "backends" -> BackendsCommand.class;
      case "backends selftest" -> BackendsSelftestCommand.class;
      default -> throw new IllegalArgumentException("no command is named " + words);
    };
  }

  /** Return what a command does, a sentence. */
  static String description(String words) {
    return switch (words) {
      case "data" -> "Describe ratings, or convert them.";
      case "plugins" -> "List, describe or verify plugins.";
      default ->
          String.join(" ", type(words).getAnnotation(CommandLine.Command.class).description());
    };
  }

  /** Return whether words name a command. */
  static boolean has(String words) {
    return WORDS.contains(words);
  }

  /** Return the words of a command and another that may follow. */
  static String join(String words, String next) {
    return words.isEmpty() ? next : words + BLANK + next;
  }

  /** Return the words that may follow those of a command, in the order to show them. */
  static List<String> next(String words) {
    String before = join(words, "");
    return WORDS.stream()
        .filter(other -> other.startsWith(before))
        .map(other -> other.substring(before.length()))
        .filter(other -> !other.contains(BLANK))
        .toList();
  }
}
