package org.pecf.api.compute;

import org.apiguardian.api.API;

/**
 * The outcome of an epoch of pairwise training. Each sample is measured just before its update.
 *
 * @param samples how many updates there were
 * @param loss the mean of {@code -ln sigmoid(x)}, {@code x = u_i . (v_j - v_k)}, penalties aside; 0
 *     without samples
 * @param auc the share of samples ranked right, {@code x > 0}, draws counting half; 0.5 without
 *     samples
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PairwiseEpoch(long samples, double loss, double auc) {}
