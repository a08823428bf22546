package org.pecf.cli;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.pecf.cli.command.BackendsCommand;
import org.pecf.cli.command.BackendsSelftestCommand;
import org.pecf.cli.command.BenchCommand;
import org.pecf.cli.command.Command;
import org.pecf.cli.command.DataCommand;
import org.pecf.cli.command.DataConvertCommand;
import org.pecf.cli.command.DataDescribeCommand;
import org.pecf.cli.command.EvaluateCommand;
import org.pecf.cli.command.PluginsCommand;
import org.pecf.cli.command.PluginsDescribeCommand;
import org.pecf.cli.command.PluginsDoctorCommand;
import org.pecf.cli.command.PluginsInstallCommand;
import org.pecf.cli.command.PluginsListCommand;
import org.pecf.cli.command.PluginsRemoveCommand;
import org.pecf.cli.command.PluginsVerifyCommand;
import org.pecf.cli.command.RecommendCommand;
import org.pecf.cli.command.ReproduceCommand;
import org.pecf.cli.command.TrainCommand;
import org.pecf.cli.command.TuneCommand;
import org.pecf.cli.console.Console;
import picocli.CommandLine;

/**
 * Be a word that names a command, with the words that may follow it. Only the command that is named
 * in the end is created: reading the options of all of them would take most of the time of a start.
 *
 * @param type the class of the command, whose annotation describes it
 * @param next the words that may follow, in the order to show them
 */
record CommandWord(Class<? extends Command> type, Map<String, CommandWord> next) {
  CommandWord {
    next = Collections.unmodifiableMap(new LinkedHashMap<>(next));
  }

  private CommandWord(Class<? extends Command> type) {
    this(type, Map.of());
  }

  /** Return what is named by no word at all. */
  static CommandWord root() {
    Map<String, CommandWord> data = new LinkedHashMap<>();
    data.put("describe", new CommandWord(DataDescribeCommand.class));
    data.put("convert", new CommandWord(DataConvertCommand.class));
    Map<String, CommandWord> plugins = new LinkedHashMap<>();
    plugins.put("list", new CommandWord(PluginsListCommand.class));
    plugins.put("describe", new CommandWord(PluginsDescribeCommand.class));
    plugins.put("verify", new CommandWord(PluginsVerifyCommand.class));
    plugins.put("doctor", new CommandWord(PluginsDoctorCommand.class));
    plugins.put("install", new CommandWord(PluginsInstallCommand.class));
    plugins.put("remove", new CommandWord(PluginsRemoveCommand.class));
    Map<String, CommandWord> words = new LinkedHashMap<>();
    words.put("train", new CommandWord(TrainCommand.class));
    words.put("tune", new CommandWord(TuneCommand.class));
    words.put("reproduce", new CommandWord(ReproduceCommand.class));
    words.put("evaluate", new CommandWord(EvaluateCommand.class));
    words.put("recommend", new CommandWord(RecommendCommand.class));
    words.put("data", new CommandWord(DataCommand.class, data));
    words.put("plugins", new CommandWord(PluginsCommand.class, plugins));
    words.put(
        "backends",
        new CommandWord(
            BackendsCommand.class,
            Map.of("selftest", new CommandWord(BackendsSelftestCommand.class))));
    words.put("bench", new CommandWord(BenchCommand.class));
    return new CommandWord(RootCommand.class, words);
  }

  /** Create the command. By reflection: a function for every command takes longer than all this. */
  Command create(Console console) {
    try {
      return type.getDeclaredConstructor(Console.class).newInstance(console);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("commands are made of a console", e);
    }
  }

  /** Return what the command does, in a sentence. */
  String description() {
    return String.join(" ", type.getAnnotation(CommandLine.Command.class).description());
  }
}
