package org.pecf.api.evaluate;

import org.apiguardian.api.API;
import org.pecf.api.plugin.NoOptions;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.Provider;

/**
 * The provider of a metric. Its id is the name before the {@code @} of {@code recall@50}; its
 * summary is the definition, which reports show. A metric takes no options, so that its name says
 * all.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface MetricProvider extends Provider<NoOptions, Metric> {
  @Override
  default OptionSchema<NoOptions> options() {
    return NoOptions.schema();
  }
}
