package org.pecf.cli.option;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.pecf.api.PecfException;
import org.pecf.engine.file.OutputFile;
import org.pecf.engine.model.ModelStore;
import picocli.CommandLine.Option;

/** The options about where results go. */
@Section(Sections.OUTPUT)
public final class OutputOptions {
  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Store the model, metrics.json and run.log in this folder.")
  @Nullable Path out;

  @Option(names = "--overwrite", description = "Replace what the output folder holds.")
  boolean overwrite;

  @Option(
      names = "--refit",
      description =
          "After measuring, train the same plan on all data and store that model instead.")
  boolean refit;

  @Option(
      names = "--metrics-json",
      paramLabel = "FILE",
      description = "Write options, data, metrics and timings to this file.")
  @Nullable Path metricsJson;

  /**
   * Check that results can be written, before any work is done for them.
   *
   * @param resume whether the run goes on, and may find its own model, which is checked later
   * @throws PecfException if they cannot
   */
  public void check(boolean resume) {
    if (out == null && (overwrite || refit)) {
      throw PecfException.badOption(
          "--%s has no effect without --out. Name the folder of the model, or leave it out.",
          refit ? "refit" : "overwrite");
    }
    out().ifPresent(folder -> ModelStore.checkPlace(folder, overwrite || resume));
    metricsJson().filter(file -> !isInOut(file)).ifPresent(file -> OutputFile.at(file).check());
  }

  /** A file in the output folder has its folder by the time it is written. */
  private boolean isInOut(Path file) {
    return out()
        .map(Path::toAbsolutePath)
        .map(Path::normalize)
        .filter(folder -> folder.equals(file.toAbsolutePath().normalize().getParent()))
        .isPresent();
  }

  /** Return the output folder. */
  public Optional<Path> out() {
    return Optional.ofNullable(out);
  }

  /** Return whether an existing output folder may be replaced. */
  public boolean overwrite() {
    return overwrite;
  }

  /** Return whether the stored model is trained on all data after measuring. */
  public boolean refit() {
    return refit;
  }

  /** Return where to write the metrics beside the output folder. */
  public Optional<Path> metricsJson() {
    return Optional.ofNullable(metricsJson);
  }
}
