package org.pecf.plugin.graph;

import java.lang.invoke.MethodHandles;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of softmax factors. */
public final class SoftmaxProvider implements BaseFilterProvider<SoftmaxOptions> {
  static final String ID = "softmax";

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        ID,
        "Softmax factors: cosines, smoothed over the graph of positives, that make positives likely"
            + " among all items",
        SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<SoftmaxOptions> options() {
    return OptionSchema.of(MethodHandles.lookup(), SoftmaxOptions.class);
  }

  @Override
  public BaseFilter create(SoftmaxOptions options) {
    return new SoftmaxFactors(options);
  }
}
