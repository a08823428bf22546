package org.pecf.cli.command;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.pecf.cli.console.Console;
import org.pecf.cli.option.CommonOptions;
import org.pecf.cli.run.RunEnvironment;
import org.pecf.engine.model.ModelDescription;
import org.pecf.engine.plugin.Diagnostic;
import org.pecf.engine.plugin.PluginCatalog;
import picocli.CommandLine.Mixin;

/** One word of the command line. */
public abstract class Command {
  private final Console console;
  @Mixin private CommonOptions common = new CommonOptions();
  private volatile @Nullable PluginCatalog catalog;

  /** Create a command that writes to a console. */
  protected Command(Console console) {
    this.console = console;
  }

  /**
   * Do it.
   *
   * @return the exit code
   */
  public abstract int run();

  /** Return the options that every command has. */
  public CommonOptions common() {
    return common;
  }

  /** Return where to write to. */
  protected Console console() {
    return console;
  }

  /** Load all plugins, and warn of those named on the command line that cannot be used. */
  protected PluginCatalog catalog() {
    PluginCatalog loaded = uncheckedCatalog();
    loaded.plugins().stream()
        .filter(report -> !report.builtIn() && common.namesPlugin(Path.of(report.location())))
        .flatMap(report -> report.diagnostics().stream())
        .filter(Diagnostic::isError)
        .distinct()
        .forEach(error -> console.warning(error.toString()));
    return loaded;
  }

  /** Load all plugins, for commands that report on all of them themselves. */
  protected PluginCatalog uncheckedCatalog() {
    HeapSize.check(Runtime.getRuntime().maxMemory());
    catalog = PluginCatalog.load(common.pluginFolders(), common.trust());
    return catalog;
  }

  /**
   * Set up the surroundings of a run.
   *
   * @param out the output folder, which gets the log
   */
  protected RunEnvironment environment(Optional<Path> out) {
    return new RunEnvironment(console, common, out, this::loadedCatalog);
  }

  /** Warn of a model whose training was interrupted. */
  protected void warnIfIncomplete(Path model, ModelDescription description) {
    if (!description.complete()) {
      console.warning(
          "%s is incomplete: its training was interrupted, and it holds the members that were"
                  .formatted(model)
              + " finished by then. The command that trained it completes it with --resume.");
    }
  }

  /** Return the plugins that were loaded, if any were. Called from any thread. */
  public Optional<PluginCatalog> loadedCatalog() {
    return Optional.ofNullable(catalog);
  }
}
