package org.pecf.cli.option;

import org.pecf.api.compute.ComputationPath;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.request.ComputeRequest;
import org.pecf.engine.request.MemorySize;
import picocli.CommandLine.Option;

/** Take the options that say what to compute on. Null is what was not said. */
@Section("Computing")
public final class ComputeOptions {
  @Option(
      names = "--backend",
      paramLabel = "ID",
      description = "What computes (default: auto, the best available; see 'pecf-run backends').")
  String backend;

  @Option(
      names = "--threads",
      converter = WholeNumber.class,
      paramLabel = "N",
      description = "How many threads (default: one a processor). Results do not depend on it.")
  Integer threads;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      description = "How much memory beside the Java heap, such as 8g (default: half of all).")
  String memory;

  @Option(
      names = "--path",
      paramLabel = "PATH",
      description =
          "How to sum over all cells: dense (exact), corrected (bounded error) or auto (default:"
              + " auto).")
  String path;

  @Option(
      names = "--weight-error",
      converter = FiniteNumber.class,
      paramLabel = "BOUND",
      description =
          "The largest relative error of a cell's weight on the corrected path (default: "
              + 0.25
              + ").")
  Double weightError;

  /** Say what to compute on, filling in defaults; the backend's options are left to others. */
  public ComputeRequest request() {
    if (weightError != null && !(weightError >= 0 && weightError < 1)) {
      throw Values.bad("--weight-error must be at least 0 and below 1, not " + weightError);
    }
    ComputeRequest standard = ComputeRequest.standard();
    return new ComputeRequest(
        backend == null ? standard.backend() : ProviderChoice.parse(backend),
        Values.atLeast("--threads", threads, 1, standard.threads()),
        memory == null ? standard.memory() : new MemorySize(Values.bytes("--memory", memory)),
        path == null ? standard.path() : Values.choice("--path", path, ComputationPath.values()),
        weightError == null ? standard.weightError() : weightError);
  }
}
