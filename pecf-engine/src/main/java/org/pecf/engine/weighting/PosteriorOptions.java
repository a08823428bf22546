package org.pecf.engine.weighting;

import org.pecf.api.plugin.Option;

/**
 * Set the posterior weighting.
 *
 * @param nu how strongly well-predicted cells are played down
 * @param sigma the error at which the weight starts to saturate
 * @param scaling what is done about all weights becoming smaller
 */
record PosteriorOptions(
    @Option(
            value = "how strongly well-predicted cells are played down",
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
  /** Name the scalings of rho. */
  enum Scaling {
    RAW,
    UNIT,
    MEAN
  }
}
