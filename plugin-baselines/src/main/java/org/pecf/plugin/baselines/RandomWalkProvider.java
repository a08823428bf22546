package org.pecf.plugin.baselines;

import java.lang.invoke.MethodHandles;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.BaseFilterProvider;
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
}
