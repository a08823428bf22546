package org.pecf.engine.run;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.pecf.api.compute.ComputationPath;
import org.pecf.engine.plugin.ProviderChoice;

/**
 * Say what to compute on.
 *
 * @param backend the backend, or {@code auto} for the best available
 * @param threads how many threads
 * @param memoryBytes how much off-heap memory the run may take
 * @param path which computation path
 * @param weightError the largest relative error of a weight on the corrected path
 */
public record ComputeRequest(
    ProviderChoice backend,
    int threads,
    long memoryBytes,
    ComputationPath path,
    double weightError) {
  /** The largest relative error of a weight on the corrected path, unless another is asked for. */
  public static final double WEIGHT_ERROR = 0.25;

  /** Return this request with another backend, or with other options of it. */
  public ComputeRequest withBackend(ProviderChoice changed) {
    return new ComputeRequest(changed, threads, memoryBytes, path, weightError);
  }

  /** Return this request with another path. */
  public ComputeRequest withPath(ComputationPath changed) {
    return new ComputeRequest(backend, threads, memoryBytes, changed, weightError);
  }

  /** Compute on the best backend, with all processors and half of the machine's memory. */
  public static ComputeRequest standard() {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return new ComputeRequest(
        ProviderChoice.of("auto"),
        Runtime.getRuntime().availableProcessors(),
        system.getTotalMemorySize() / 2,
        ComputationPath.AUTO,
        WEIGHT_ERROR);
  }
}
