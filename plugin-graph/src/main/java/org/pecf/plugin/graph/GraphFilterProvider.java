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

  @Override
  public Optional<SettingsSpace> settingsSpace(
      GridShape shape, long positives, Map<String, String> given) {
    return Optional.of(
        SettingsSpace.ofOptions(
            List.of(
                new Axis("power", 0.6, 1.25, 0.1, 3),
                new Axis("user-exponent", 0.6, 1.25, 0.05, 1)),
            List.of(),
            // The pairs of positives that share a user, where some have many more than the mean.
            point -> 1e-7 * positives * positives / shape.users()));
  }
}
