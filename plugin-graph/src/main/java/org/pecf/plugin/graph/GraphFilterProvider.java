package org.pecf.plugin.graph;

import java.lang.invoke.MethodHandles;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of graph filters. */
public final class GraphFilterProvider implements BaseFilterProvider<GraphFilterOptions> {
  static final String ID = "graph-filter";

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        ID, "polynomial of the normalised graph of items (Turbo-CF)", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<GraphFilterOptions> options() {
    return OptionSchema.of(MethodHandles.lookup(), GraphFilterOptions.class);
  }

  @Override
  public BaseFilter create(GraphFilterOptions options) {
    return new GraphFilter(options);
  }
}
