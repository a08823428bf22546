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
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of softmax factors. */
public final class SoftmaxProvider implements BaseFilterProvider<SoftmaxOptions> {
  static final String ID = "softmax";

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        ID,
        "Softmax factors: cosines, smoothed over the graph of positives, that make positives likely"
            + " among all items",
        SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<SoftmaxOptions> options() {
    return OptionSchema.of(MethodHandles.lookup(), SoftmaxOptions.class);
  }

  @Override
  public BaseFilter create(SoftmaxOptions options) {
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
