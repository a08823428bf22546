package org.pecf.cli.command;

import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.cli.console.Console;
import org.pecf.cli.option.CommonOptions;
import org.pecf.cli.option.RecordOptions;
import org.pecf.cli.option.Section;
import org.pecf.cli.option.TrainingOptions;
import org.pecf.cli.option.WorkOptions;
import org.pecf.cli.run.RunEnvironment;
import org.pecf.cli.run.RunLog;
import org.pecf.engine.plugin.Diagnostic;
import org.pecf.engine.plugin.PluginCatalog;

/** A command of the command line. */
public abstract class Command {
  /**
   * The smallest heap to work in. With less, classes of plugins fail to load at random, which would
   * be reported as a missing backend or a defect.
   */
  private static final long LEAST_HEAP = 20L << 20;

  private final List<RecordOptions<?>> options = new ArrayList<>();
  private final RecordOptions<CommonOptions> common = add(CommonOptions.options());
  private volatile @Nullable PluginCatalog catalog;
  private boolean logging;
  private @Nullable Console console;

  /** Have the command write to a console. */
  public final void use(Console other) {
    console = other;
  }

  /** Take options. */
  final <O extends Record> RecordOptions<O> add(RecordOptions<O> added) {
    options.add(added);
    return added;
  }

  /** Take the options of a record that belongs to this command alone. */
  final <O extends Record> RecordOptions<O> add(MethodHandles.Lookup lookup, Class<O> record) {
    return add(RecordOptions.of(Section.OWN, OptionSchema.of(lookup, record)));
  }

  /** Take the options of trainings. */
  final TrainingOptions add(TrainingOptions added) {
    options.addAll(added.all());
    return added;
  }

  /** Take the options of work without training. */
  final WorkOptions add(WorkOptions added) {
    options.add(added.compute());
    options.add(added.settings());
    return added;
  }

  /** Return all options. */
  public List<RecordOptions<?>> allOptions() {
    return Collections.unmodifiableList(options);
  }

  /**
   * Do it.
   *
   * @return the exit code
   */
  public abstract int run();

  /** Return the options that every command has. */
  public CommonOptions common() {
    return common.get();
  }

  /** Return where to write to. */
  protected Console console() {
    return Objects.requireNonNull(console);
  }

  /** Load all plugins, and warn of those named on the command line that cannot be used. */
  protected PluginCatalog catalog() {
    PluginCatalog loaded = uncheckedCatalog();
    loaded.plugins().stream()
        .filter(report -> !report.builtIn() && common().namesPlugin(Path.of(report.location())))
        .flatMap(report -> report.diagnostics().stream())
        .filter(Diagnostic::isError)
        .distinct()
        .forEach(error -> console().warning(error.toString()));
    return loaded;
  }

  /** Load all plugins, for commands that report on all of them themselves. */
  protected PluginCatalog uncheckedCatalog() {
    checkHeap(Runtime.getRuntime().maxMemory());
    if (!logging) {
      RunLog.start(common().logLevel(), Optional.empty());
    }
    catalog = PluginCatalog.load(common().pluginFolders(), common().trust());
    return catalog;
  }

  /** Refuse a heap that may not grow large enough for any work. */
  static void checkHeap(long mostBytes) {
    if (mostBytes < LEAST_HEAP) {
      throw PecfException.resources(
          "The Java heap may take %s MiB only, which is too little. Raise it to 32 MiB or more,"
              + " for example with PECF_JAVA_OPTS=-Xmx1g.",
          mostBytes >> 20);
    }
  }

  /**
   * Set up the surroundings of a run.
   *
   * @param out the output folder, which gets the log
   */
  protected RunEnvironment environment(Optional<Path> out) {
    logging = true;
    return new RunEnvironment(console(), common(), out, this::loadedCatalog);
  }

  /** Return the plugins that were loaded, if any were. Called from any thread. */
  public Optional<PluginCatalog> loadedCatalog() {
    return Optional.ofNullable(catalog);
  }
}
