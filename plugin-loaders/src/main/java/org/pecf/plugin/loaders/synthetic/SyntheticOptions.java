package org.pecf.plugin.loaders.synthetic;

import java.util.OptionalDouble;
import org.pecf.api.plugin.Option;

/**
 * The options of the synthetic loader. Those that are 0 or unset are taken from the named data set.
 */
public record SyntheticOptions(
    @Option(value = "number of users; 0 = as the named set", defaultValue = "0", min = 0) int users,
    @Option(value = "number of items; 0 = as the named set", defaultValue = "0", min = 0) int items,
    @Option(value = "number of positives; 0 = by the density", defaultValue = "0", min = 0)
        long positives,
    @Option(
            value = "share of cells that are positives; unset = as the named set",
            defaultValue = "",
            min = 0,
            max = 1)
        OptionalDouble density,
    @Option(
            value = "number of taste groups; 0 = as the named set",
            defaultValue = "0",
            min = 0,
            max = 1000)
        int groups,
    @Option(value = "seed of everything that is drawn", defaultValue = "1") long seed) {
  public SyntheticOptions {
    if (positives > 0 && density.isPresent()) {
      throw new IllegalArgumentException("set positives or density, not both");
    }
  }
}
