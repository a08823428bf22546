package org.pecf.cli.option;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Take the options that every command has. */
@Section(Sections.GENERAL)
public final class CommonOptions {
  /** Name the levels of log messages. */
  public enum LogLevel {
    /** No messages. */
    OFF,
    /** Only what failed. */
    ERROR,
    /** Also what may be wrong. */
    WARN,
    /** Also what happens. */
    INFO,
    /** Also how. */
    DEBUG,
    /** Everything. */
    TRACE
  }

  @Option(
      names = "--plugins",
      paramLabel = "DIR",
      split = ",",
      description = "Look for plugins in this folder too; repeatable.")
  List<Path> plugins = new ArrayList<>();

  @Option(
      names = "--log-level",
      paramLabel = "LEVEL",
      description =
          "Print log messages: off, error, warn, info, debug or trace (default: off; run.log has"
              + " info).")
  String logLevel;

  @Option(names = "--verbose", description = "Print every step.")
  boolean verbose;

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

  /** Return whether errors come with a stack trace. */
  public boolean stacktrace() {
    return stacktrace;
  }

  /** Return the level of messages to print, if it was said. */
  public Optional<LogLevel> logLevel() {
    return Optional.ofNullable(logLevel)
        .map(text -> Values.choice("--log-level", text, LogLevel.values()));
  }

  /** Return the folders with plugins: the distribution's own, if there is one, then those named. */
  public List<Path> pluginFolders() {
    List<Path> folders = new ArrayList<>();
    Optional.ofNullable(System.getProperty("pecf.home"))
        .map(home -> Path.of(home, "plugins"))
        .filter(Files::isDirectory)
        .ifPresent(folders::add);
    folders.addAll(plugins);
    return folders;
  }
}
