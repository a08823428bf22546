package ${package};

import java.lang.invoke.MethodHandles;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of ${id}. */
public final class MyFilterProvider implements BaseFilterProvider<MyFilterProvider.Options> {
  /**
   * The options.
   *
   * @param rank the number of factors of a user or an item
   * @param iterations the number of sweeps over users and items
   * @param lambda the penalty of large factors
   */
  public record Options(
      @Option(value = "number of factors", defaultValue = "20", min = 1, max = 4096) int rank,
      @Option(value = "sweeps", defaultValue = "5", min = 1, max = 100000) int iterations,
      @Option(value = "penalty", defaultValue = "0.2", min = 1e-9) double lambda) {}

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription("${id}", "factors by alternating least squares", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<Options> options() {
    return OptionSchema.of(MethodHandles.lookup(), Options.class);
  }

  @Override
  public BaseFilter create(Options options) {
    return new MyFilter(options);
  }
}
