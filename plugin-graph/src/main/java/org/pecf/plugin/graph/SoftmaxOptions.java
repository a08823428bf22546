package org.pecf.plugin.graph;

import org.pecf.api.plugin.Option;

/**
 * The hyper-parameters of softmax factors.
 *
 * @param rank the number of factors, d
 * @param iterations the number of epochs, in each of which every user is met once
 * @param temperature the cosine that multiplies a probability by e
 * @param layers the number of steps over the graph by which factors are smoothed
 * @param learningRate the step length of the first epoch; it falls linearly, to 0 after the last
 * @param batch the number of users of one step
 */
record SoftmaxOptions(
    @Option(value = "number of factors", defaultValue = "128", min = 1, max = 4096) int rank,
    @Option(
            value = "epochs, in each of which every user is met once",
            defaultValue = "25",
            min = 1,
            max = 1e5)
        int iterations,
    @Option(
            value = "cosine that multiplies a probability by e: the lower, the more the best count",
            defaultValue = "0.15",
            min = 0.05,
            max = 10)
        double temperature,
    @Option(
            value = "steps over the graph of positives by which factors are smoothed",
            defaultValue = "2",
            min = 0,
            max = 20)
        int layers,
    @Option(value = "step length of the first epoch", defaultValue = "0.02", min = 1e-9, max = 10)
        double learningRate,
    @Option(value = "users of one step", defaultValue = "512", min = 1, max = 1e6) int batch) {}
