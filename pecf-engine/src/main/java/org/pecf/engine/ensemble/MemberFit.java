package org.pecf.engine.ensemble;

import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.pecf.engine.data.split.Confidence;

/**
 * The way in which a member was fitted: what a row of the grid that comes later needs, to be fitted
 * alike.
 *
 * @param confidence the plain weights of positives and zeros
 * @param weights how they were re-weighted
 * @param residuals whether the member fits what the members before it leave, or else the ratings
 * @param standardised whether the scores of a row of users were divided by their standard deviation
 *     afterwards; weights and targets of other members come from the scores before that
 * @param before the weights of the members before it, in the order of the ensemble, that made the
 *     prediction from which its weights and targets came; empty for none
 */
public record MemberFit(
    Confidence confidence,
    WeightRule weights,
    boolean residuals,
    boolean standardised,
    List<Double> before) {
  public MemberFit {
    before = List.copyOf(before);
    if (before.stream().anyMatch(weight -> !Double.isFinite(weight))) {
      throw new IllegalArgumentException("the weights of members must be finite, not " + before);
    }
  }

  /** Return the fit of a member whose scores are as they were fitted. */
  public static MemberFit of(
      Confidence confidence, WeightRule weights, boolean residuals, List<Double> before) {
    return new MemberFit(confidence, weights, residuals, false, before);
  }

  /** Return the same fit of a member whose scores are standardised. */
  public MemberFit withStandardised() {
    return new MemberFit(confidence, weights, residuals, true, before);
  }

  /**
   * Return the same fit in an ensemble that has lost members.
   *
   * @param kept the numbers of the members that stay, ascending. Not modified.
   */
  public MemberFit among(List<Integer> kept) {
    List<Double> fewer =
        usesPrediction()
            ? kept.stream().filter(k -> k < before.size()).map(before::get).toList()
            : List.of();
    return new MemberFit(confidence, weights, residuals, standardised, fewer);
  }

  /** Return the same fit in an ensemble that has other members before. */
  MemberFit behind(int others) {
    return new MemberFit(
        confidence,
        weights,
        residuals,
        standardised,
        before.isEmpty()
            ? before
            : Stream.concat(DoubleStream.generate(() -> 0).limit(others).boxed(), before.stream())
                .toList());
  }

  /** Return whether weights or targets depend on the prediction of the members before. */
  public boolean usesPrediction() {
    return residuals || !(weights instanceof WeightRule.Plain);
  }
}
