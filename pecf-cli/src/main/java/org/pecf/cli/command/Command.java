package org.pecf.cli.command;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.pecf.cli.console.Console;
import org.pecf.cli.option.CommonOptions;
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

  /** Return the plugins that were loaded, if any were. Called from any thread. */
  public Optional<PluginCatalog> loadedCatalog() {
    return Optional.ofNullable(catalog);
  }
}
