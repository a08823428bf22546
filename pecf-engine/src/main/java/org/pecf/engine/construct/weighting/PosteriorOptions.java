package org.pecf.engine.construct.weighting;

import org.pecf.api.plugin.Option;

/** The options of the posterior weighting. */
record PosteriorOptions(
    @Option(
            value = "how strongly well-predicted cells are weighed down",
            defaultValue = "10",
            min = 0,
            max = 1e6)
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
        Scaling scaling,
    @Option(
            value = "positives by their error, or plain: all as those that are predicted perfectly",
            defaultValue = "error")
        Positives positives,
    @Option(
            value =
                "zeros by their error, plain: all as those that are predicted perfectly, or doubt:"
                    + " the less the higher they score, for they may be positives that nobody saw",
            defaultValue = "error")
        Zeros zeros) {
  /** The scalings of rho. */
  enum Scaling {
    RAW,
    UNIT,
    MEAN
  }

  /** The weights of positives. */
  enum Positives {
    ERROR,
    PLAIN
  }

  /** The weights of zeros. */
  enum Zeros {
    ERROR,
    PLAIN,
    DOUBT
  }
}
