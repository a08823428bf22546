package org.pecf.plugin.baselines;

import java.lang.invoke.MethodHandles;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.BaseFilterProvider;
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
}
