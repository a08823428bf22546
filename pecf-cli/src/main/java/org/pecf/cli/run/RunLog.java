package org.pecf.cli.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import org.apache.logging.log4j.LogManager;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.run.RunEvent;
import org.pecf.api.run.RunListener;
import org.pecf.api.run.TrainingStep;
import org.pecf.cli.option.CommonOptions.LogLevel;
import org.pecf.engine.file.FileProblem;

/**
 * The log of a run: on standard error at the chosen level, and in a file if the run has an output
 * folder.
 *
 * <p>The folder appears complete at the end of the run. Until then the file is beside it, and stays
 * there if the run fails.
 */
public final class RunLog implements RunListener {
  /** The name of the file in the output folder. */
  private static final String NAME = "run.log";

  private final Optional<Path> file;
  private final boolean silent;

  private final System.Logger logger;

  private RunLog(Optional<Path> file, boolean silent) {
    this.file = file;
    this.silent = silent;
    this.logger = System.getLogger("org.pecf.run");
  }

  /**
   * Set up logging. Call this before anything logs, since the configuration is read once.
   *
   * @param level the level to print, if one was chosen
   * @param out the output folder
   */
  public static RunLog start(Optional<LogLevel> level, Optional<Path> out) {
    LogLevel console = level.orElse(LogLevel.OFF);
    LogLevel inFile =
        out.isEmpty()
            ? LogLevel.OFF
            : console.compareTo(LogLevel.INFO) > 0 ? console : LogLevel.INFO;
    Optional<Path> file =
        out.map(Path::toAbsolutePath)
            .filter(folder -> folder.getFileName() != null)
            .map(folder -> folder.resolveSibling(folder.getFileName() + "." + NAME));
    file.ifPresent(RunLog::check);
    LogLevel lowest = inFile.compareTo(console) > 0 ? inFile : console;
    System.setProperty("pecf.log.console", console.name());
    System.setProperty("pecf.log.file.level", inFile.name());
    System.setProperty("pecf.log.lowest", lowest.name());
    boolean silent = lowest == LogLevel.OFF;
    if (silent) {
      // Log4j takes a fifth of the start-up, which is not worth it if nothing is logged.
      System.setProperty("slf4j.internal.verbosity", "WARN");
      System.setProperty("slf4j.provider", "org.slf4j.helpers.NOP_FallbackServiceProvider");
    }
    file.ifPresent(path -> System.setProperty("pecf.log.file", path.toString()));
    return new RunLog(file, silent);
  }

  /** Refuse to write through a link or device that somebody else put beside the output folder. */
  private static void check(Path file) {
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
        && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw PecfException.badOption(
          "%s is needed for the log, but is not a plain file. Remove it, or choose another --out.",
          file);
    }
  }

  @Override
  public void on(RunEvent event) {
    logger.log(
        event instanceof TrainingStep ? System.Logger.Level.DEBUG : System.Logger.Level.INFO,
        event::summary);
  }

  /** Log that a run failed; a mistyped option is not a failure of a run. */
  public void failed(Throwable problem) {
    if (!(problem instanceof PecfException known && known.code() == ErrorCode.BAD_OPTION)) {
      logger.log(System.Logger.Level.ERROR, "the run failed", problem);
    }
  }

  /**
   * End logging and put the file into a folder.
   *
   * @param folder the output folder, which is complete by now, or the one that took its place
   */
  public void finish(Path folder) {
    if (!silent) {
      LogManager.shutdown();
    }
    if (file.isPresent() && Files.exists(file.get())) {
      try {
        Files.move(file.get(), folder.resolve(NAME), StandardCopyOption.REPLACE_EXISTING);
      } catch (IOException e) {
        throw PecfException.resources(
                "The log could not be put into %s (%s); it is %s.",
                folder, FileProblem.reason(e), file.get())
            .causedBy(e);
      }
    }
  }
}
