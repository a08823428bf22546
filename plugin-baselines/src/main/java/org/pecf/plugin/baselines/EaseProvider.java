package org.pecf.plugin.baselines;

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

/** The provider of EASE. */
public final class EaseProvider implements BaseFilterProvider<EaseOptions> {
  static final String ID = "ease";

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        ID, "linear item-to-item model in closed form (EASE)", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<EaseOptions> options() {
    return OptionSchema.of(MethodHandles.lookup(), EaseOptions.class);
  }

  @Override
  public BaseFilter create(EaseOptions options) {
    return new Ease(options);
  }

  @Override
  public Optional<SettingsSpace> settingsSpace(
      GridShape shape, long positives, Map<String, String> given) {
    // The inverse takes n^3 multiplications and additions, at some 50 billion a second.
    double inverse = 2e-11 * Math.pow(shape.items(), 3);
    return Optional.of(
        SettingsSpace.ofOptions(
            List.of(
                new Axis("lambda", 100, 3, 1, 1e5),
                new Axis("activity-exponent", 0.25, 2, 0.0625, 1)),
            List.of(),
            point -> inverse));
  }
}
