package org.pecf.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.Choices;
import org.pecf.cli.command.Command;
import org.pecf.cli.console.Console;
import org.pecf.cli.console.Remedies;
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

  /** Return the exit code of a command that did its work: 0 if all it printed arrived. */
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
    return perform(CommandWord.root(), commandFirst(arguments));
  }

  /**
   * Return arguments with a command that follows options which every command has, such as -q,
   * before them.
   */
  private String[] commandFirst(String... arguments) {
    int options = 0;
    if (arguments.length > 1 && arguments[0].startsWith("-")) {
      CommandSpec common = CommandSpec.create().addOption(help());
      CommonOptions.options().specs().forEach(common::addOption);
      while (options < arguments.length && arguments[options].startsWith("-")) {
        OptionSpec option = common.findOption(arguments[options].replaceFirst("=.*", ""));
        if (option == null) {
          break;
        }
        options += option.arity().max() > 0 && !arguments[options].contains("=") ? 2 : 1;
      }
    }
    List<String> ordered = new ArrayList<>(List.of(arguments));
    int words = options;
    CommandWord named = CommandWord.root();
    while (words < arguments.length && named.next().containsKey(arguments[words])) {
      named = named.next().get(arguments[words]).get();
      words++;
    }
    if (options > 0 && words > options) {
      Collections.rotate(ordered.subList(0, words), words - options);
    }
    return ordered.toArray(String[]::new);
  }

  private int perform(CommandWord root, String... arguments) {
    CommandWord named = root;
    StringBuilder name = new StringBuilder("pecf-run");
    int words = 0;
    while (words < arguments.length && named.next().containsKey(arguments[words])) {
      named = named.next().get(arguments[words]).get();
      name.append(' ').append(arguments[words++]);
    }
    try {
      Command command = named.create(console);
      CommandLine parser = parser(command, name.toString(), named, console.page().columns());
      Optional<ConfigFile> config = configArgument(arguments).map(ConfigFile::read);
      config.ifPresent(file -> parser.setDefaultValueProvider(option -> value(file, option)));
      String[] rest = Arrays.copyOfRange(arguments, words, arguments.length);
      if (parse(parser, named, config, rest).isUsageHelpRequested()) {
        parser.usage(console.out(), Ansi.OFF);
        return 0;
      }
      CommandSpec spec = parser.getCommandSpec();
      config.ifPresent(file -> file.check(configurable(spec)));
      config.ifPresent(
          file -> command.allOptions().forEach(o -> o.precede("set", file.settingLines())));
      return run(command);
    } catch (UsageProblem e) {
      console.error(e.getMessage());
      return ErrorCode.BAD_OPTION.exitCode();
    } catch (PecfException e) {
      console.error(Remedies.onCommandLine(e.getMessage()));
      return e.code().exitCode();
    }
  }

  /** Return whether a command was found and run, whatever became of it. */
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

  /** Return a parser that knows no further commands: values may be called as they are. */
  static CommandLine parser(Command command, String name, CommandWord named, int columns) {
    CommandSpec spec = CommandSpec.forAnnotatedObject(command);
    command.allOptions().forEach(options -> options.specs().forEach(spec::addOption));
    spec.addOption(help());
    CommandLine parser = new CommandLine(spec);
    parser.setCommandName(name);
    parser.setAllowOptionsAsOptionParameters(false);
    int width = Math.max(NARROWEST, Math.min(WIDEST, columns));
    parser.setUsageHelpWidth(width);
    Map<String, IHelpSectionRenderer> sections = parser.getHelpSectionMap();
    sections.put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, Section::render);
    sections.put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, help -> list(named, help, width));
    return parser;
  }

  private static OptionSpec help() {
    return OptionSpec.builder("-h", "--help")
        .usageHelp(true)
        .description("Print this text.")
        .build();
  }

  /** Return the words that may follow, each with a description. */
  private static String list(CommandWord named, Help help, int width) {
    if (named.next().isEmpty()) {
      return "";
    }
    int indent = 2 + named.next().keySet().stream().mapToInt(String::length).max().getAsInt() + 2;
    TextTable table =
        TextTable.forColumns(
            help.colorScheme(),
            new Column(indent, 2, Column.Overflow.SPAN),
            new Column(width - indent, 0, Column.Overflow.WRAP));
    named.next().forEach((word, next) -> table.addRowValues(word, next.get().description()));
    return String.format("%nCommands:%n%s", table);
  }

  /**
   * Parse the arguments after the words of a command.
   *
   * @param parser the parser of the command
   * @param named the command with the words that may follow it, for messages
   */
  private static ParseResult parse(
      CommandLine parser, CommandWord named, Optional<ConfigFile> config, String... arguments) {
    try {
      ParseResult parsed = parser.parseArgs(arguments);
      if (!parsed.unmatched().isEmpty()) {
        // The parser lets everything pass beside a wish for help.
        throw unmatched(parser, named.next().keySet(), parsed.unmatched().get(0));
      }
      return parsed;
    } catch (CommandLine.UnmatchedArgumentException e) {
      throw unmatched(parser, named.next().keySet(), e.getUnmatched().get(0));
    } catch (CommandLine.MissingParameterException e) {
      throw usage(parser, missing(e));
    } catch (CommandLine.ParameterException e) {
      String place =
          config
              .flatMap(
                  file -> e.getArgSpec() == null ? Optional.empty() : place(file, e.getArgSpec()))
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

  private static UsageProblem unmatched(CommandLine parser, Set<String> next, String word) {
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

  private static UsageProblem usage(CommandLine command, String message) {
    String stop = message.endsWith(".") || message.endsWith("?") ? "" : ".";
    return new UsageProblem(message + stop + " See '" + command.getCommandName() + " --help'.");
  }

  /** Find --config before anything else is parsed: its file gives the defaults. */
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

  private static List<String> configurable(CommandSpec spec) {
    return spec.options().stream()
        .filter(Application::isConfigurable)
        .map(Application::key)
        .toList();
  }

  private static boolean isConfigurable(OptionSpec option) {
    return !option.usageHelp()
        && !option.versionHelp()
        && !List.of("config", "set").contains(key(option));
  }

  private static String key(OptionSpec option) {
    return option.longestName().replaceFirst("^-+", "");
  }

  private static @Nullable String value(ConfigFile file, ArgSpec argument) {
    return argument instanceof OptionSpec option && isConfigurable(option)
        ? file.value(key(option)).orElse(null)
        : null;
  }

  private static Optional<String> place(ConfigFile file, ArgSpec argument) {
    return argument instanceof OptionSpec option ? file.place(key(option)) : Optional.empty();
  }

  /** A command line that cannot be understood. */
  private static final class UsageProblem extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UsageProblem(String message) {
      super(message);
    }

    @Override
    public String getMessage() {
      return Objects.requireNonNull(super.getMessage());
    }
  }
}
