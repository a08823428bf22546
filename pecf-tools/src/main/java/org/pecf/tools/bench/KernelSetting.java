package org.pecf.tools.bench;

import java.lang.invoke.MethodHandles;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.data.split.Confidence;

/**
 * The training during which kernels are timed. How many zeros are scored high, and so how much the
 * corrected path has to do, depends on it. The defaults are those that a search on MovieLens 1M
 * found.
 *
 * @param exponent how penalties follow the weights of rows, as {@link org.pecf.api.compute.Ridge}
 *     defines
 * @param nu the most that a badly predicted cell gains in weight is 1 + nu
 */
public record KernelSetting(
    @Option(value = "The number of factors", label = "D", defaultValue = "50", min = 1) int rank,
    @Option(
            value = "The number of members of the ensemble that is ranked",
            defaultValue = "15",
            min = 1)
        int members,
    @Option(value = "How much a positive and a zero count", label = "P:Z", defaultValue = "1:0.1")
        Confidence confidence,
    @Option(value = "How strongly factors are held small", defaultValue = "8", min = 1e-9)
        double lambda,
    @Option(
            value = "How the penalties of rows follow their weights: 0 not at all, 1 in proportion",
            defaultValue = "0",
            min = 0,
            max = 1)
        double exponent,
    @Option(value = "How much weight badly predicted cells gain", defaultValue = "60") float nu,
    @Option(value = "How large the error of a badly predicted cell is", defaultValue = "0.7")
        float sigma) {
  /** The options and their ranges. */
  public static final OptionSchema<KernelSetting> SCHEMA =
      OptionSchema.of(MethodHandles.lookup(), KernelSetting.class);
}
