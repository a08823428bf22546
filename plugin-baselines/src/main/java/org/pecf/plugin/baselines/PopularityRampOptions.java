package org.pecf.plugin.baselines;

import org.pecf.api.plugin.Option;

/** The hyper-parameters of a ramp over popularity. */
record PopularityRampOptions(
    @Option(
            value = "popularity below which all items score alike, as a multiple of the mean",
            defaultValue = "1",
            min = 0,
            max = 1e6)
        double from,
    @Option(
            value = "popularity above which all items score alike, as a multiple of the mean",
            defaultValue = "4",
            min = 0,
            max = 1e6)
        double to) {}
