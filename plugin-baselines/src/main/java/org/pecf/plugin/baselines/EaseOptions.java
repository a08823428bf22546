package org.pecf.plugin.baselines;

import org.pecf.api.plugin.Option;

/**
 * The hyper-parameters of EASE.
 *
 * @param lambda the ridge penalty of the item-to-item weights
 */
record EaseOptions(
    @Option(value = "penalty of the item-to-item weights", defaultValue = "100", min = 1e-3)
        double lambda) {}
