package org.pecf.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.Choices;
import org.pecf.cli.command.Command;
import org.pecf.cli.console.Console;
import org.pecf.cli.console.Remedies;
import org.pecf.cli.console.Version;
import org.pecf.cli.option.CommonOptions;
import org.pecf.cli.option.ConfigFile;
import org.pecf.cli.option.Section;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParseResult;

/** The command line: arguments become a command, and its outcome an exit code. */
public final class Application {
  private static final int WIDEST = 100;
  private static final int NARROWEST = 60;

  private final Console console;
  private final Consumer<Command> atStart;
  private boolean started;

  /** Create an application that writes to a console. */
  public Application(Console console) {
    this(console, command -> {});
  }

  /**
   * Create an application.
   *
   * @param console where it writes to
   * @param atStart told of the command before it is run
   */
  Application(Console console, Consumer<Command> atStart) {
    this.console = console;
    this.atStart = atStart;
  }

  /**
   * Run the command that the arguments ask for.
   *
   * @return the exit code
   */
  public int execute(String... arguments) {
    int code = perform(arguments);
    return code == 0 ? delivered(console) : code;
  }

  /** Return the exit code of a command that did its work: 0 if all that it printed was written. */
  static int delivered(Console console) {
    if (console.written()) {
      return 0;
    }
    console.error(
        "the results could not all be written to standard output. See that its disk has room and"
            + " that what reads it does not end early.");
    return ErrorCode.RESOURCES.exitCode();
  }

  private int perform(String... arguments) {
    if (arguments.length > 0 && arguments[0].equals("help")) {
      String[] asked = Arrays.copyOfRange(arguments, 1, arguments.length + 1);
      asked[asked.length - 1] = "--help";
      return perform(asked);
    }
    List<String> rest = new ArrayList<>(List.of(arguments));
    String words = takeWords(rest);
    try {
      Command command = Commands.create(words, console);
      CommandLine parser = parser(words, command, console.page().columns());
      Optional<ConfigFile> config = configArgument(arguments).map(ConfigFile::read);
      config.ifPresent(
          file ->
              parser.setDefaultValueProvider(
                  option -> key(option).flatMap(file::value).orElse(null)));
      ParseResult parsed = parse(parser, words, config, rest);
      if (parsed.isUsageHelpRequested()) {
        parser.usage(console.out(), Ansi.OFF);
        return 0;
      }
      if (parsed.isVersionHelpRequested()) {
        console.out().println(Version.text());
        return 0;
      }
      config.ifPresent(file -> configure(command, parser.getCommandSpec(), file));
      return run(command);
    } catch (PecfException e) {
      console.error(Remedies.onCommandLine(e.getMessage()));
      return e.code().exitCode();
    }
  }

  /**
   * Take the words that name a command from arguments, where only options that every command has,
   * such as -q, stand before them.
   */
  private static String takeWords(List<String> arguments) {
    int begin = 0;
    if (arguments.size() > 1 && arguments.get(0).startsWith("-")) {
      CommandSpec common = CommandSpec.create().addOption(help());
      CommonOptions.options().specs().forEach(common::addOption);
      while (begin < arguments.size() && arguments.get(begin).startsWith("-")) {
        OptionSpec option = common.findOption(arguments.get(begin).replaceFirst("=.*", ""));
        if (option == null) {
          return "";
        }
        begin += option.arity().max() > 0 && !arguments.get(begin).contains("=") ? 2 : 1;
      }
    }
    int end = begin;
    String words = "";
    while (end < arguments.size() && Commands.has(Commands.join(words, arguments.get(end)))) {
      words = Commands.join(words, arguments.get(end++));
    }
    arguments.subList(Math.min(begin, end), end).clear();
    return words;
  }

  private static void configure(Command command, CommandSpec spec, ConfigFile file) {
    file.check(spec.options().stream().map(Application::key).flatMap(Optional::stream).toList());
    command.allOptions().forEach(options -> options.precede("set", file.settingLines()));
  }

  /** Return whether a command was found and run, with success or without. */
  public boolean started() {
    return started;
  }

  private int run(Command command) {
    started = true;
    atStart.accept(command);
    try {
      return command.run();
    } catch (PecfException e) {
      console.error(Remedies.onCommandLine(e.getMessage()));
      trace(command, e);
      return e.code().exitCode();
    } catch (RuntimeException | Error e) {
      console.error(
          e instanceof OutOfMemoryError
              ? "the Java heap is full. Give it more with PECF_JAVA_OPTS=-Xmx8g"
              : "this is a defect of PECF: " + e + " (--stacktrace shows where)");
      trace(command, e);
      return ErrorCode.INTERNAL.exitCode();
    }
  }

  private void trace(Command command, Throwable problem) {
    if (command.common().stacktrace()) {
      problem.printStackTrace(console.err());
    }
  }

  /** Return the parser of a command. */
  static CommandLine parser(String words, Command command, int columns) {
    CommandSpec spec = CommandSpec.forAnnotatedObject(command);
    command.allOptions().forEach(options -> options.specs().forEach(spec::addOption));
    spec.addOption(help());
    if (words.isEmpty()) {
      spec.addOption(
          OptionSpec.builder("-V", "--version")
              .versionHelp(true)
              .description("Print the version.")
              .build());
    }
    if (!Commands.next(words).isEmpty() && !words.isEmpty()) {
      spec.usageMessage().description(Commands.description(words));
    }
    int width = Math.max(NARROWEST, Math.min(WIDEST, columns));
    CommandLine parser =
        new CommandLine(spec)
            .setCommandName(Commands.join("pecf-run", words).strip())
            .setAllowOptionsAsOptionParameters(false)
            .setUsageHelpWidth(width);
    spec.usageMessage().abbreviateSynopsis(true);
    Map<String, IHelpSectionRenderer> sections = parser.getHelpSectionMap();
    sections.put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, Section::render);
    sections.put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, help -> list(words, help, width));
    return parser;
  }

  private static OptionSpec help() {
    return OptionSpec.builder("-h", "--help")
        .usageHelp(true)
        .description("Print this text.")
        .build();
  }

  /** Return the words that may follow, each with a description. */
  private static String list(String words, Help help, int width) {
    List<String> next = Commands.next(words);
    if (next.isEmpty()) {
      return "";
    }
    int indent = 2 + next.stream().mapToInt(String::length).max().getAsInt() + 2;
    TextTable table =
        TextTable.forColumns(
            help.colorScheme(),
            new Column(indent, 2, Column.Overflow.SPAN),
            new Column(width - indent, 0, Column.Overflow.WRAP));
    for (String word : next) {
      table.addRowValues(word, Commands.description(Commands.join(words, word)));
    }
    return String.format("%nCommands:%n%s", table);
  }

  /**
   * Parse the arguments after the words of a command.
   *
   * @param words the words of the command, for messages
   */
  private static ParseResult parse(
      CommandLine parser, String words, Optional<ConfigFile> config, List<String> arguments) {
    try {
      ParseResult parsed = parser.parseArgs(arguments.toArray(String[]::new));
      if (!parsed.unmatched().isEmpty()) {
        // The parser accepts anything beside --help.
        throw unmatched(parser, Commands.next(words), parsed.unmatched().get(0));
      }
      return parsed;
    } catch (CommandLine.UnmatchedArgumentException e) {
      throw unmatched(parser, Commands.next(words), e.getUnmatched().get(0));
    } catch (CommandLine.MissingParameterException e) {
      throw usage(parser, missing(e));
    } catch (CommandLine.ParameterException e) {
      String place =
          Optional.ofNullable(e.getArgSpec())
              .flatMap(Application::key)
              .flatMap(key -> config.flatMap(file -> file.place(key)))
              .map(where -> where + ": ")
              .orElse("");
      String message =
          e.getCause() instanceof PecfException known ? known.getMessage() : e.getMessage();
      throw usage(parser, place + message);
    }
  }

  private static String missing(CommandLine.MissingParameterException e) {
    return e.getMissing().get(0) instanceof OptionSpec option
        ? option.longestName() + " needs a value (" + option.paramLabel() + ")."
        : "Name the " + e.getMissing().get(0).paramLabel() + ".";
  }

  private static PecfException unmatched(CommandLine parser, List<String> next, String word) {
    if (word.startsWith("-")) {
      String name = word.replaceFirst("=.*", "");
      List<String> names = new ArrayList<>();
      parser.getCommandSpec().options().forEach(option -> names.add(option.longestName()));
      return usage(parser, "There is no option '" + name + "'." + Choices.suggestion(name, names));
    }
    if (next.contains(word)) {
      return usage(parser, "Options stand before the command. Write '" + word + "' first");
    }
    if (next.isEmpty()) {
      return usage(parser, "'" + word + "' is not expected here");
    }
    return usage(parser, "There is no command '" + word + "'." + Choices.suggestion(word, next));
  }

  private static PecfException usage(CommandLine command, String message) {
    String stop = message.endsWith(".") || message.endsWith("?") ? "" : ".";
    return PecfException.badOption(
        "%s%s See '%s --help'.", message, stop, command.getCommandName());
  }

  /** Find --config before anything else is parsed, because its file gives the defaults. */
  private static Optional<Path> configArgument(String... arguments) {
    for (int i = 0; i < arguments.length; i++) {
      if (arguments[i].startsWith("--config=")) {
        return Optional.of(Path.of(arguments[i].substring("--config=".length())));
      }
      if (arguments[i].equals("--config") && i + 1 < arguments.length) {
        return Optional.of(Path.of(arguments[i + 1]));
      }
    }
    return Optional.empty();
  }

  /** Return the key of an option that a file may give. */
  private static Optional<String> key(ArgSpec argument) {
    return argument instanceof OptionSpec option && option.userObject() instanceof Section
        ? Optional.of(option.longestName().substring("--".length()))
            .filter(key -> !List.of("config", "set").contains(key))
        : Optional.empty();
  }
}
