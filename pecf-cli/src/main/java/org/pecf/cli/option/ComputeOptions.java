package org.pecf.cli.option;

import java.lang.management.ManagementFactory;
import org.pecf.api.compute.ComputationPath;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.run.ComputeRequest;
import picocli.CommandLine.Option;

/** Take the options that say what to compute on. Null is what was not said. */
@Section("Computing")
public final class ComputeOptions {
  /** The largest relative error of a cell's weight on the corrected path, unless said otherwise. */
  static final double WEIGHT_ERROR = 0.15;

  @Option(
      names = "--backend",
      paramLabel = "ID",
      description = "What computes (default: auto, the best available; see 'pecf-run backends').")
  String backend;

  @Option(
      names = "--threads",
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
      paramLabel = "BOUND",
      description =
          "The largest relative error of a cell's weight on the corrected path (default: "
              + WEIGHT_ERROR
              + ").")
  Double weightError;

  /** Say what to compute on, filling in defaults; the backend's options are left to others. */
  public ComputeRequest request() {
    if (weightError != null && !(weightError >= 0 && weightError < 1)) {
      throw Values.bad("--weight-error must be at least 0 and below 1, not " + weightError);
    }
    return new ComputeRequest(
        ProviderChoice.parse(backend == null ? "auto" : backend),
        Values.atLeast("--threads", threads, 1, Runtime.getRuntime().availableProcessors()),
        memory == null ? physicalMemory() / 2 : Values.bytes("--memory", memory),
        path == null
            ? ComputationPath.AUTO
            : Values.choice("--path", path, ComputationPath.values()),
        weightError == null ? WEIGHT_ERROR : weightError);
  }

  private static long physicalMemory() {
    return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
        .getTotalMemorySize();
  }
}
