package org.pecf.cli.option;

import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Take the options that say where results go. */
@Section("Output")
public final class OutputOptions {
  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Store the model, metrics.json and run.log in this folder.")
  Path out;

  @Option(names = "--overwrite", description = "Replace what the output folder holds.")
  boolean overwrite;

  @Option(
      names = "--metrics-json",
      paramLabel = "FILE",
      description = "Write options, data, metrics and timings to this file.")
  Path metricsJson;

  /** Return the output folder. */
  public Optional<Path> out() {
    return Optional.ofNullable(out);
  }

  /** Return whether an existing output folder may be replaced. */
  public boolean overwrite() {
    return overwrite;
  }

  /** Return where to write the metrics beside the output folder. */
  public Optional<Path> metricsJson() {
    return Optional.ofNullable(metricsJson);
  }
}
