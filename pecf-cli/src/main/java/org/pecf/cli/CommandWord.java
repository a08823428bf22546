package org.pecf.cli;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.pecf.cli.command.BackendsCommand;
import org.pecf.cli.command.BackendsSelftestCommand;
import org.pecf.cli.command.Command;
import org.pecf.cli.command.CompareCommand;
import org.pecf.cli.command.DataCommand;
import org.pecf.cli.command.DataConvertCommand;
import org.pecf.cli.command.DataDescribeCommand;
import org.pecf.cli.command.EvaluateCommand;
import org.pecf.cli.command.ExplainCommand;
import org.pecf.cli.command.PluginsCommand;
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
 * A word that names a command, with the words that may follow it. Only the command that is named in
 * the end is created: reading the options of all of them would take most of the time of a start.
 * For the same reason words are made when they are asked for.
 *
 * @param type the class of the command, whose annotation describes it
 * @param constructor the constructor of the command
 * @param next the words that may follow, in the order to show them
 */
record CommandWord(
    Class<? extends Command> type,
    Function<Console, Command> constructor,
    Map<String, Supplier<CommandWord>> next) {
  CommandWord {
    next = Collections.unmodifiableMap(new LinkedHashMap<>(next));
  }

  private CommandWord(Class<? extends Command> type, Function<Console, Command> constructor) {
    this(type, constructor, Map.of());
  }

  /** Return the command that is named by no word at all. */
  static CommandWord root() {
    Map<String, Supplier<CommandWord>> data = new LinkedHashMap<>();
    data.put(
        "describe", () -> new CommandWord(DataDescribeCommand.class, DataDescribeCommand::new));
    data.put("convert", () -> new CommandWord(DataConvertCommand.class, DataConvertCommand::new));
    Map<String, Supplier<CommandWord>> plugins = new LinkedHashMap<>();
    plugins.put("list", () -> new CommandWord(PluginsListCommand.class, PluginsListCommand::new));
    plugins.put(
        "describe",
        () -> new CommandWord(PluginsDescribeCommand.class, PluginsDescribeCommand::new));
    plugins.put(
        "verify", () -> new CommandWord(PluginsVerifyCommand.class, PluginsVerifyCommand::new));
    Map<String, Supplier<CommandWord>> words = new LinkedHashMap<>();
    words.put("train", () -> new CommandWord(TrainCommand.class, TrainCommand::new));
    words.put("tune", () -> new CommandWord(TuneCommand.class, TuneCommand::new));
    words.put("reproduce", () -> new CommandWord(ReproduceCommand.class, ReproduceCommand::new));
    words.put("compare", () -> new CommandWord(CompareCommand.class, CompareCommand::new));
    words.put("evaluate", () -> new CommandWord(EvaluateCommand.class, EvaluateCommand::new));
    words.put("update", () -> new CommandWord(UpdateCommand.class, UpdateCommand::new));
    words.put("recommend", () -> new CommandWord(RecommendCommand.class, RecommendCommand::new));
    words.put("similar", () -> new CommandWord(SimilarCommand.class, SimilarCommand::new));
    words.put("explain", () -> new CommandWord(ExplainCommand.class, ExplainCommand::new));
    words.put("serve", () -> new CommandWord(ServeCommand.class, ServeCommand::new));
    words.put("data", () -> new CommandWord(DataCommand.class, DataCommand::new, data));
    words.put("plugins", () -> new CommandWord(PluginsCommand.class, PluginsCommand::new, plugins));
    words.put(
        "backends",
        () ->
            new CommandWord(
                BackendsCommand.class,
                BackendsCommand::new,
                Map.of(
                    "selftest",
                    () ->
                        new CommandWord(
                            BackendsSelftestCommand.class, BackendsSelftestCommand::new))));
    return new CommandWord(RootCommand.class, RootCommand::new, words);
  }

  /** Create the command. */
  Command create(Console console) {
    return constructor.apply(console);
  }

  /** Return the description of the command, a sentence. */
  String description() {
    return String.join(" ", type.getAnnotation(CommandLine.Command.class).description());
  }
}
