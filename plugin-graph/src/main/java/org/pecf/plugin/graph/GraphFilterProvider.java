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
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of graph filters. */
public final class GraphFilterProvider implements BaseFilterProvider<GraphFilterProvider.Options> {
  static final String ID = "graph-filter";

  /**
   * The hyper-parameters of graph filters.
   *
   * @param userExponent e: a user of n positives divides each by n^e, an item by n^(1-e)
   * @param power s: every element of the graph is raised to it
   * @param order the degree of the polynomial
   */
  public record Options(
      @Option(
              value = "exponent by which users with many positives count less, and items the rest",
              defaultValue = "0.6",
              min = 0,
              max = 1)
          double userExponent,
      @Option(
              value = "power of the elements of the graph: the lower, the more weak links count",
              defaultValue = "0.6",
              min = 0.05,
              max = 5)
          double power,
      @Option(
              value = "degree of the polynomial of the graph: 1, or 2 for a flatter filter",
              defaultValue = "1",
              min = 1,
              max = 2)
          int order,
      @Option(
              value = "number of strongest elements that are kept of an item",
              defaultValue = "1000",
              min = 1)
          int neighbours) {}

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        ID, "polynomial of the normalised graph of items (Turbo-CF)", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<Options> options() {
    return OptionSchema.of(MethodHandles.lookup(), Options.class);
  }

  @Override
  public BaseFilter create(Options options) {
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
