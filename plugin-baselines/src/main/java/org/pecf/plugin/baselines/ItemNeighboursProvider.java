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

/** The provider of item neighbourhoods. */
public final class ItemNeighboursProvider implements BaseFilterProvider<ItemNeighboursOptions> {
  static final String ID = "item-knn";

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        ID,
        "similarity to the user's items by cosine, over the nearest neighbours",
        SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<ItemNeighboursOptions> options() {
    return OptionSchema.of(MethodHandles.lookup(), ItemNeighboursOptions.class);
  }

  @Override
  public BaseFilter create(ItemNeighboursOptions options) {
    return new ItemNeighbours(options);
  }

  @Override
  public Optional<SettingsSpace> settingsSpace(
      GridShape shape, long positives, Map<String, String> given) {
    return Optional.of(
        SettingsSpace.ofOptions(
            List.of(
                new Axis("shrinkage", 10, 3, 0.1, 1e4), new Axis("neighbours", 100, 2, 10, 1000)),
            List.of("neighbours"),
            point -> Neighbourhood.work(positives, shape.users())));
  }
}
