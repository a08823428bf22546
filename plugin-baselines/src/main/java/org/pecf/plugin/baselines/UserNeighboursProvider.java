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

  @Override
  public Optional<SettingsSpace> settingsSpace(
      GridShape shape, long positives, Map<String, String> given) {
    return Optional.of(
        SettingsSpace.ofOptions(
            List.of(
                new Axis("locality", 0.8, 1.5, 0.1, 10),
                new Axis("beta", 0.3, 1.5, 0.02, 2),
                new Axis("idf", 0.35, 1.5, 0.02, 2)),
            List.of(),
            point -> Neighbourhood.work(positives, shape.items())));
  }
}
