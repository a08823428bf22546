package org.pecf.plugin.graph;

import org.pecf.api.plugin.Option;

/**
 * The hyper-parameters of graph filters.
 *
 * @param userExponent e: a user of n positives divides each by n^e, an item by n^(1-e)
 * @param power s: every element of the graph is raised to it
 * @param order the degree of the polynomial
 */
record GraphFilterOptions(
    @Option(
            value = "exponent by which users with many positives count less, and items the rest",
            defaultValue = "0.6",
            min = 0,
            max = 1)
        double userExponent,
    @Option(
            value = "power of the elements of the graph: the lower, the more weak links count",
            defaultValue = "0.6",
            min = 0.05,
            max = 5)
        double power,
    @Option(
            value = "degree of the polynomial of the graph: 1, or 2 for a flatter filter",
            defaultValue = "1",
            min = 1,
            max = 2)
        int order,
    @Option(
            value = "number of strongest elements that are kept of an item",
            defaultValue = "1000",
            min = 1)
        int neighbours) {}
