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
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of EASE. */
public final class EaseProvider implements BaseFilterProvider<EaseProvider.Options> {
  static final String ID = "ease";

  /**
   * The hyper-parameters of EASE.
   *
   * @param activityExponent e: a user of n positives is scaled by n^-e
   * @param support how many items the sparse form regresses an item on
   */
  public record Options(
      @Option(value = "penalty of the item-to-item weights", defaultValue = "100", min = 1e-3)
          double lambda,
      @Option(
              value = "exponent by which users with many positives count less",
              defaultValue = "0",
              min = 0,
              max = 1)
          double activityExponent,
      @Option(
              value = "number of strongest weights that are kept of an item",
              defaultValue = "1000",
              min = 1)
          int neighbours,
      @Option(
              value =
                  "how weights are computed: dense inverts a matrix of all items, or users; sparse"
                      + " regresses each item on few others; auto is dense where that fits the"
                      + " memory",
              defaultValue = "auto")
          Form form,
      @Option(
              value = "number of items that an item is regressed on by the sparse form",
              defaultValue = "100",
              min = 1,
              max = 2000)
          int support) {
    /** The ways in which weights are computed. */
    enum Form {
      AUTO,
      DENSE,
      SPARSE
    }
  }

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        ID, "linear item-to-item model in closed form (EASE)", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<Options> options() {
    return OptionSchema.of(MethodHandles.lookup(), Options.class);
  }

  @Override
  public BaseFilter create(Options options) {
    return new Ease(options);
  }

  @Override
  public Optional<SettingsSpace> settingsSpace(
      GridShape shape, long positives, Map<String, String> given) {
    // The inverse takes n^3 multiplications and additions, at some 50 billion a second.
    double inverse = 2e-11 * Math.pow(shape.items(), 3);
    return Optional.of(
        SettingsSpace.ofOptions(
            List.of(
                new Axis("lambda", 100, 3, 1, 1e5),
                new Axis("activity-exponent", 0.25, 2, 0.0625, 1)),
            List.of(),
            point -> inverse));
  }
}
