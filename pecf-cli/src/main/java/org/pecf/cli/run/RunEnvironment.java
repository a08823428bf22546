package org.pecf.cli.run;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.pecf.api.run.RunListener;
import org.pecf.cli.console.Console;
import org.pecf.cli.console.Display;
import org.pecf.cli.option.CommonOptions;
import org.pecf.engine.plugin.PluginCatalog;

/** The surroundings of a run: display, log, details for its report, and Ctrl-C. */
public final class RunEnvironment implements AutoCloseable {
  private final Display display;
  private final RunLog log;
  private final RunDetails record;
  private final Interruption interruption;
  private final List<RunListener> listeners;
  private final boolean verbose;

  /**
   * Set everything up.
   *
   * @param console where progress is shown
   * @param common the options that every command has
   * @param out the output folder, which gets the log
   * @param plugins the plugins, once they are loaded
   */
  public RunEnvironment(
      Console console,
      CommonOptions common,
      Optional<Path> out,
      Supplier<Optional<PluginCatalog>> plugins) {
    log = RunLog.start(common.logLevel(), out);
    display = Display.on(console, common.progress());
    record = new RunDetails(System::nanoTime, Display::processBytes);
    interruption = Interruption.listen(() -> display.line("stopping"), display, console, plugins);
    verbose = common.verbose();
    listeners = List.of(record, log, new RunDisplay(display, verbose, System::nanoTime));
  }

  /** Return the listener that is notified of all events. */
  public RunListener listener() {
    return event -> listeners.forEach(listener -> listener.on(event));
  }

  /** Return the listener that is notified of all events of a study. */
  public RunListener studyListener() {
    RunListener shown = new StudyDisplay(display, verbose);
    return event -> {
      log.on(event);
      shown.on(event);
    };
  }

  /** Return the cancellation of the run, set by Ctrl-C. */
  public Interruption interruption() {
    return interruption;
  }

  /** Return the log. */
  public RunLog log() {
    return log;
  }

  /** Return the record. */
  public RunDetails record() {
    return record;
  }

  /** Remove the progress before results are printed and stored, which is not interrupted. */
  public void endDisplay() {
    interruption.settle();
    display.close();
  }

  /** Restore the terminal and the usual meaning of signals. */
  @Override
  public void close() {
    display.close();
    interruption.close();
  }
}
