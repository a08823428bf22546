package org.pecf.engine.request;

import com.sun.management.OperatingSystemMXBean;
import java.lang.invoke.MethodHandles;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.engine.plugin.ProviderChoice;

/** The resources that a run computes with. */
public record ComputeRequest(
    @Option(value = "The compute backend", label = "ID", defaultValue = "auto")
        ProviderChoice backend,
    @Option(
            value = "The number of threads, on which results do not depend",
            defaultValue = "",
            unset = "one per processor",
            min = 1)
        int threads,
    @Option(
            value = "The largest amount of off-heap memory, such as 8g",
            label = "SIZE",
            defaultValue = "",
            unset = "half of all")
        MemorySize memory,
    @Option(
            value = "How to sum over all cells; dense is exact, corrected has a bounded error",
            label = "PATH",
            defaultValue = "auto")
        ComputationPath path,
    @Option(
            value = "The largest relative error of a cell's weight on the corrected path, below 1",
            label = "BOUND",
            defaultValue = "0.25",
            min = 0,
            max = 1)
        double weightError) {
  /** The options of a compute request. */
  public static final OptionSchema<ComputeRequest> SCHEMA =
      OptionSchema.of(MethodHandles.lookup(), ComputeRequest.class);

  /** The bound on weights where none is given. */
  public static final double DEFAULT_WEIGHT_ERROR = 0.25;

  public ComputeRequest {
    if (!(weightError >= 0 && weightError < 1)) {
      throw new IllegalArgumentException(
          "weight-error must be at least 0 and below 1, not " + weightError + ".");
    }
    if (threads < 1) {
      throw new IllegalArgumentException("threads must be at least 1, not " + threads + ".");
    }
  }

  /**
   * Read a request.
   *
   * @param options the options that were given: texts by key. Not modified.
   */
  public static ComputeRequest of(Map<String, String> options) {
    Map<String, String> texts = new LinkedHashMap<>(machine());
    texts.putAll(options);
    return SCHEMA.bind("", texts);
  }

  /** Return the request for the best backend, all processors and half of the machine's memory. */
  public static ComputeRequest standard() {
    return of(Map.of());
  }

  /** Return the defaults that depend on the machine: texts by key. */
  static Map<String, String> machine() {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return Map.of(
        "threads",
        Integer.toString(Runtime.getRuntime().availableProcessors()),
        "memory",
        Long.toString(system.getTotalMemorySize() / 2));
  }

  /** Return this request with another backend, or with other options of it. */
  public ComputeRequest withBackend(ProviderChoice changed) {
    return new ComputeRequest(changed, threads, memory, path, weightError);
  }

  /** Return this request with another path. */
  public ComputeRequest withPath(ComputationPath changed) {
    return new ComputeRequest(backend, threads, memory, changed, weightError);
  }
}
