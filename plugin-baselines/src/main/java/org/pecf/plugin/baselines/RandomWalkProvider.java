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

/** The provider of random walks. */
public final class RandomWalkProvider implements BaseFilterProvider<RandomWalkOptions> {
  static final String ID = "rp3beta";

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        ID, "random walk of three steps, discounted by popularity (RP3beta)", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<RandomWalkOptions> options() {
    return OptionSchema.of(MethodHandles.lookup(), RandomWalkOptions.class);
  }

  @Override
  public BaseFilter create(RandomWalkOptions options) {
    return new RandomWalk(options);
  }

  @Override
  public Optional<SettingsSpace> settingsSpace(
      GridShape shape, long positives, Map<String, String> given) {
    return Optional.of(
        SettingsSpace.ofOptions(
            List.of(new Axis("beta", 0.25, 1.5, 0.02, 2), new Axis("alpha", 0.6, 1.25, 0.1, 2)),
            List.of(),
            point -> Neighbourhood.work(positives, shape.users())));
  }
}
