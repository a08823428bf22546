package org.pecf.tools.bench;

/**
 * The cost at one size.
 *
 * @param dimension the quantity that is varied: "users", "items", "positives", "rank", "members" or
 *     "threads"
 * @param size how large it is
 * @param sweepSeconds processor time of a plain sweep
 * @param roundSeconds processor time of a round: re-weighting, and two sweeps on the new weights
 * @param roundWallSeconds elapsed time of a round
 * @param rankingSeconds processor time of ranking all items for all users
 * @param memoryBytes the largest memory beside the heap, data included
 */
public record ScalingPoint(
    String dimension,
    int size,
    double sweepSeconds,
    double roundSeconds,
    double roundWallSeconds,
    double rankingSeconds,
    long memoryBytes) {}
