package org.pecf.plugin.loaders.synthetic;

import java.util.OptionalDouble;
import org.pecf.api.plugin.Option;

/**
 * Hold the options of the synthetic loader; what is 0 or unset is taken from the named set.
 *
 * @param users how many users
 * @param items how many items
 * @param positives how many positives
 * @param density the share of cells that are positives
 * @param groups how many taste groups
 * @param seed the seed
 */
public record SyntheticOptions(
    @Option(value = "how many users; 0 = as the named set", defaultValue = "0", min = 0) int users,
    @Option(value = "how many items; 0 = as the named set", defaultValue = "0", min = 0) int items,
    @Option(value = "how many positives; 0 = by the density", defaultValue = "0", min = 0)
        long positives,
    @Option(
            value = "share of cells that are positives; unset = as the named set",
            defaultValue = "",
            min = 0,
            max = 1)
        OptionalDouble density,
    @Option(
            value = "how many taste groups; 0 = as the named set",
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
