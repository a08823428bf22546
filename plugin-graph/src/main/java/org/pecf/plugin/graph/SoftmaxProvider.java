package org.pecf.plugin.graph;

import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.api.filter.SettingsSpace;
import org.pecf.api.filter.SettingsSpace.Axis;
import org.pecf.api.memory.GridShape;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of softmax factors. */
public final class SoftmaxProvider implements BaseFilterProvider<SoftmaxProvider.Options> {
  static final String ID = "softmax";

  /**
   * The hyper-parameters of softmax factors.
   *
   * @param rank the number of factors, d
   * @param iterations the number of epochs, in each of which every user is met once
   * @param temperature the cosine that multiplies a probability by e
   * @param layers the number of steps over the graph by which factors are smoothed
   * @param learningRate the step length of the first epoch; it falls linearly, to 0 after the last
   * @param batch the number of users of one step
   */
  public record Options(
      @Option(value = "number of factors", defaultValue = "128", min = 1, max = 4096) int rank,
      @Option(
              value = "epochs, in each of which every user is met once",
              defaultValue = "25",
              min = 1,
              max = 1e5)
          int iterations,
      @Option(
              value =
                  "cosine that multiplies a probability by e: the lower, the more the best count",
              defaultValue = "0.15",
              min = 0.05,
              max = 10)
          double temperature,
      @Option(
              value = "steps over the graph of positives by which factors are smoothed",
              defaultValue = "2",
              min = 0,
              max = 20)
          int layers,
      @Option(value = "step length of the first epoch", defaultValue = "0.02", min = 1e-9, max = 10)
          double learningRate,
      @Option(value = "users of one step", defaultValue = "512", min = 1, max = 1e6) int batch) {}

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        ID,
        "Softmax factors: cosines, smoothed over the graph of positives, that make positives likely"
            + " among all items",
        SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<Options> options() {
    return OptionSchema.of(MethodHandles.lookup(), Options.class);
  }

  @Override
  public BaseFilter create(Options options) {
    return new SoftmaxFactors(options);
  }

  @Override
  public Optional<SettingsSpace> settingsSpace(
      GridShape shape, long positives, Map<String, String> given) {
    return Optional.of(
        SettingsSpace.ofOptions(
            List.of(
                new Axis("temperature", 0.15, 1.5, 0.05, 2),
                new Axis("rank", 128, 2, 16, 1024),
                new Axis("iterations", 25, 1.6, 5, 200)),
            List.of("rank", "iterations"),
            // Three products an epoch, and an exponential a cell that takes as long as 100 factors.
            point -> 1.2e-10 * point[2] * shape.users() * shape.items() * (point[1] + 100)));
  }
}
