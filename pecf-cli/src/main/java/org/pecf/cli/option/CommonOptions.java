package org.pecf.cli.option;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.pecf.api.PecfException;
import org.pecf.cli.console.ProgressForm;
import org.pecf.engine.plugin.PluginTrust;
import picocli.CommandLine.Option;

/** The options that every command has. */
@Section(Sections.GENERAL)
public final class CommonOptions {
  /** The levels of log messages. */
  public enum LogLevel {
    /** No messages. */
    OFF,
    /** Failures only. */
    ERROR,
    /** Possible problems too. */
    WARN,
    /** Events too. */
    INFO,
    /** Details too. */
    DEBUG,
    /** Everything. */
    TRACE
  }

  @Option(
      names = "--plugins",
      paramLabel = "DIR,...",
      split = ",",
      hideParamSyntax = true,
      description = "Look for plugins in these folders too; repeatable.")
  List<Path> plugins = new ArrayList<>();

  @Option(
      names = "--trusted-only",
      description =
          "Load only plugins that conf/trusted-plugins lists (also: PECF_TRUSTED_ONLY=1).")
  boolean trustedOnly;

  @Option(
      names = "--log-level",
      paramLabel = "LEVEL",
      description =
          "Print log messages: off, error, warn, info, debug or trace (default: off; run.log has"
              + " info).")
  @Nullable String logLevel;

  @Option(names = "--verbose", description = "Print every step.")
  boolean verbose;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print no progress, only results, warnings and errors.")
  boolean quiet;

  @Option(
      names = "--progress",
      paramLabel = "FORM",
      description =
          "The form of progress on standard error: auto, lines, json or none (default: auto, which"
              + " redraws a state on a terminal and prints lines elsewhere).")
  @Nullable String progress;

  @Option(names = "--stacktrace", description = "Print where in the program an error came from.")
  boolean stacktrace;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this text.")
  boolean help;

  /** Return whether every step is to be printed. */
  public boolean verbose() {
    return verbose;
  }

  /** Return the form of progress; lines where log messages would tear a state that is redrawn. */
  public ProgressForm progress() {
    if (quiet && (verbose || progress != null)) {
      throw PecfException.badOption(
          "--quiet contradicts %s. Leave one of them out.", verbose ? "--verbose" : "--progress");
    }
    if (quiet) {
      return ProgressForm.NONE;
    }
    ProgressForm form =
        progress == null
            ? ProgressForm.AUTO
            : OptionValues.choice("--progress", progress, ProgressForm.values());
    return form == ProgressForm.AUTO && logLevel().orElse(LogLevel.OFF) != LogLevel.OFF
        ? ProgressForm.LINES
        : form;
  }

  /** Return whether errors come with a stack trace. */
  public boolean stacktrace() {
    return stacktrace;
  }

  /** Return the level of messages to print, if it was given. */
  public Optional<LogLevel> logLevel() {
    return Optional.ofNullable(logLevel)
        .map(text -> OptionValues.choice("--log-level", text, LogLevel.values()));
  }

  /** Return the folders with plugins: the distribution's own, if there is one, then those named. */
  public List<Path> pluginFolders() {
    List<Path> folders = new ArrayList<>();
    home().map(home -> home.resolve("plugins")).filter(Files::isDirectory).ifPresent(folders::add);
    for (Path named : plugins) {
      boolean jar = String.valueOf(named.getFileName()).endsWith(".jar");
      if (!Files.isDirectory(named) && !(jar && Files.isRegularFile(named))) {
        throw PecfException.badOption(
            "--plugins names %s, which %s. Name a folder of plugins, or a plugin's jar.",
            named, Files.exists(named) ? "is neither a folder nor a jar" : "does not exist");
      }
      folders.add(named);
    }
    return folders;
  }

  /** Return whether a plugin is in a folder that was named on the command line. */
  public boolean namesPlugin(Path location) {
    return plugins.stream().anyMatch(location::startsWith);
  }

  /** Return which plugins may be loaded. */
  public PluginTrust trust() {
    PluginTrust trust =
        home()
            .map(home -> PluginTrust.read(home.resolve("conf").resolve("trusted-plugins")))
            .orElse(PluginTrust.inEverything());
    return trustedOnly || isSet(System.getenv("PECF_TRUSTED_ONLY")) ? trust.onlyInListed() : trust;
  }

  /** Return whether a variable is set to something other than no. */
  static boolean isSet(String variable) {
    return variable != null
        && !List.of("", "0", "no", "false", "off")
            .contains(variable.strip().toLowerCase(Locale.ROOT));
  }

  /** Return the folder of the distribution, if it was started from one. */
  public static Optional<Path> home() {
    return Optional.ofNullable(System.getProperty("pecf.home")).map(Path::of);
  }
}
