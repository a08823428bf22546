package org.pecf.plugin.baselines;

import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.pecf.api.PecfException;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.api.filter.SettingsSpace;
import org.pecf.api.memory.GridShape;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of ramps over popularity. */
public final class PopularityRampProvider implements BaseFilterProvider<PopularityRampOptions> {
  static final String ID = "popularity-ramp";

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        ID,
        "a correction of mixtures: rises with the popularity of items within bounds",
        SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<PopularityRampOptions> options() {
    return OptionSchema.of(MethodHandles.lookup(), PopularityRampOptions.class);
  }

  @Override
  public BaseFilter create(PopularityRampOptions options) {
    if (!(options.from() < options.to())) {
      throw PecfException.badOption(
          "A ramp over popularity cannot lead from %s to %s. Let 'to' be above 'from'.",
          options.from(), options.to());
    }
    return new PopularityRamp(options);
  }

  @Override
  public Optional<SettingsSpace> settingsSpace(
      GridShape shape, long positives, Map<String, String> given) {
    // A ramp is nothing by itself: where it begins and ends matters little to a mixture.
    return Optional.of(new SettingsSpace(List.of(), point -> Map.of(), point -> 1e-8 * positives));
  }
}
