package org.pecf.plugin.baselines;

import java.lang.invoke.MethodHandles;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of user neighbourhoods. */
public final class UserNeighboursProvider implements BaseFilterProvider<UserNeighboursOptions> {
  static final String ID = "user-knn";

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        ID,
        "items of the most similar users, by a cosine in which rare items count more",
        SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<UserNeighboursOptions> options() {
    return OptionSchema.of(MethodHandles.lookup(), UserNeighboursOptions.class);
  }

  @Override
  public BaseFilter create(UserNeighboursOptions options) {
    return new UserNeighbours(options);
  }
}
