package org.pecf.tools.bench;

import org.pecf.engine.split.Confidence;

/**
 * The training during which kernels are timed. How many zeros are scored high, and so how much the
 * corrected path has to do, depends on it.
 *
 * @param rank how many factors
 * @param members how many members the ranked ensemble has
 * @param confidence c of positives and zeros
 * @param lambda the penalty
 * @param exponent how penalties follow the weights of rows, as {@link org.pecf.api.compute.Ridge}
 *     defines
 * @param nu the most that a badly predicted cell gains in weight is 1 + nu
 * @param sigma the error beyond which cells count as badly predicted
 */
public record KernelSetting(
    int rank,
    int members,
    Confidence confidence,
    double lambda,
    double exponent,
    float nu,
    float sigma) {}
