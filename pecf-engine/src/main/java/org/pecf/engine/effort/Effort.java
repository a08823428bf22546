package org.pecf.engine.effort;

import java.util.List;
import org.pecf.api.plugin.Choices;

/**
 * The amount of work that is spent on finding settings. It is counted in sweeps, not in seconds, so
 * that the same data and seed give the same settings on any machine.
 */
public enum Effort {
  /** Three penalties; less work than the training itself. */
  QUICK(
      List.of(3.0), List.of(0.02, 0.05, 0.12), List.of(1.0), List.of(), List.of(new Heat(3, 4)), 4),
  /** Three zero weights and four penalties, then half and twice the rank. */
  NORMAL(
      List.of(1.5, 4.0, 10.0),
      List.of(0.015, 0.035, 0.08, 0.18),
      List.of(1.0),
      List.of(0.5, 2.0),
      List.of(new Heat(12, 3), new Heat(3, 8)),
      6),
  /** Sixty settings, then ranks from half to four times. */
  THOROUGH(
      List.of(1.0, 2.0, 4.0, 8.0, 16.0),
      List.of(0.01, 0.02, 0.04, 0.08, 0.16, 0.32),
      List.of(0.5, 1.0),
      List.of(0.5, 2.0, 4.0),
      List.of(new Heat(60, 3), new Heat(20, 6), new Heat(5, 12)),
      12);

  /**
   * A heat of the race.
   *
   * @param candidates the largest number of candidates that take part
   * @param sweeps the sweeps that each of them is trained for
   */
  record Heat(int candidates, int sweeps) {}

  private final List<Double> zeros;
  private final List<Double> penalties;
  private final List<Double> exponents;
  private final List<Double> ranks;
  private final List<Heat> heats;
  private final int rounds;

  Effort(
      List<Double> zeros,
      List<Double> penalties,
      List<Double> exponents,
      List<Double> ranks,
      List<Heat> heats,
      int rounds) {
    this.zeros = zeros;
    this.penalties = penalties;
    this.exponents = exponents;
    this.ranks = ranks;
    this.heats = heats;
    this.rounds = rounds;
  }

  /** Return the weights of zeros to try, as multiples of the density of positives. */
  List<Double> zeros() {
    return zeros;
  }

  /** Return the penalties to try, as multiples of the weight of a typical row. */
  List<Double> penalties() {
    return penalties;
  }

  /** Return the frequency exponents to try. */
  List<Double> exponents() {
    return exponents;
  }

  /** Return the ranks to try with the best of the race, as multiples of the rank by rule. */
  List<Double> ranks() {
    return ranks;
  }

  /** Return the heats of the race, each with the best of the one before. */
  List<Heat> heats() {
    return heats;
  }

  /** Return the largest number of members to add to the first. */
  int rounds() {
    return rounds;
  }

  /**
   * Return the rounds without a better metric after which an ensemble is complete: half of all,
   * since one or two may be worse by chance.
   */
  int patience() {
    return rounds / 2;
  }

  @Override
  public String toString() {
    return Choices.nameOf(this);
  }
}
