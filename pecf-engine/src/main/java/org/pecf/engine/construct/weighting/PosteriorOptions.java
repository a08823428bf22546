package org.pecf.engine.construct.weighting;

import org.pecf.api.plugin.Option;

/**
 * The options of the posterior weighting.
 *
 * @param nu how strongly well-predicted cells are weighed down
 * @param sigma the error at which the weight starts to saturate
 * @param scaling the correction for all weights becoming smaller
 */
record PosteriorOptions(
    @Option(
            value = "how strongly well-predicted cells are weighed down",
            defaultValue = "10",
            min = 0)
        double nu,
    @Option(
            value = "error at which the weight starts to saturate",
            defaultValue = "1",
            min = 1e-4,
            max = 1e4)
        double sigma,
    @Option(
            value =
                "raw: rho itself; unit: a perfectly predicted cell keeps its weight; mean: the"
                    + " total weight stays as it is",
            defaultValue = "mean")
        Scaling scaling) {
  /** The scalings of rho. */
  enum Scaling {
    RAW,
    UNIT,
    MEAN
  }
}
