package org.pecf.plugin.wmf;

import org.pecf.api.plugin.Option;

/** The hyper-parameters of an ensemble of local non-negative factorisations. */
record EnsNmfOptions(
    @Option(
            value = "number of factorisations, each of what those before leave",
            defaultValue = "20",
            min = 1,
            max = 1000)
        int stages,
    @Option(
            value = "number of factors of each factorisation",
            defaultValue = "5",
            min = 1,
            max = 1024)
        int rank,
    @Option(value = "sweeps of each factorisation", defaultValue = "30", min = 1, max = 100000)
        int iterations) {}
