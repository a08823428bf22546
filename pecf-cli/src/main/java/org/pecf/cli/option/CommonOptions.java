package org.pecf.cli.option;

import java.lang.invoke.MethodHandles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.cli.console.Display;
import org.pecf.engine.plugin.PluginTrust;

/** The options that every command has. */
public record CommonOptions(
    @Option(value = "Look for plugins in these folders too; repeatable", label = "DIR,...")
        Optional<List<Path>> plugins,
    @Option(
            value = "Load only plugins that conf/trusted-plugins lists (also: PECF_TRUSTED_ONLY=1)",
            defaultValue = "false")
        boolean trustedOnly,
    @Option(value = "Print log messages", label = "LEVEL", unset = "off; run.log has info")
        Optional<LogLevel> logLevel,
    @Option(value = "Print every step", defaultValue = "false") boolean verbose,
    @Option(value = "Print no progress, only results, warnings and errors", defaultValue = "false")
        boolean quiet,
    @Option(
            value = "The form of progress on standard error",
            key = "progress",
            label = "FORM",
            unset = "auto, which redraws a state on a terminal and prints lines elsewhere")
        Optional<Display.Form> form,
    @Option(value = "Print where in the program an error came from", defaultValue = "false")
        boolean stacktrace) {
  private static final OptionSchema<CommonOptions> SCHEMA =
      OptionSchema.of(MethodHandles.lookup(), CommonOptions.class);

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

  /** Return the options of a command line. */
  public static RecordOptions<CommonOptions> options() {
    return RecordOptions.of(Section.GENERAL, SCHEMA)
        .repeatable("plugins", ",")
        .letter("quiet", "q");
  }

  /** Return the form of progress: lines if log messages would break up a state that is redrawn. */
  public Display.Form progress() {
    if (quiet && (verbose || form.isPresent())) {
      throw PecfException.badOption(
          "--quiet contradicts %s. Leave one of them out.", verbose ? "--verbose" : "--progress");
    }
    if (quiet) {
      return Display.Form.NONE;
    }
    Display.Form wished = form.orElse(Display.Form.AUTO);
    return wished == Display.Form.AUTO && logLevel.orElse(LogLevel.OFF) != LogLevel.OFF
        ? Display.Form.LINES
        : wished;
  }

  /** Return the folders with plugins: the distribution's own, if there is one, then those named. */
  public List<Path> pluginFolders() {
    List<Path> folders = new ArrayList<>();
    home().map(home -> home.resolve("plugins")).filter(Files::isDirectory).ifPresent(folders::add);
    for (Path named : plugins.orElse(List.of())) {
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
    return plugins.orElse(List.of()).stream().anyMatch(location::startsWith);
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
