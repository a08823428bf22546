package org.pecf.engine.effort;

import org.pecf.api.plugin.Choices;

/**
 * The amount of work that is spent on finding an ensemble. It is counted in what filters say of
 * their trainings, not in seconds, so that the same data and seed give the same ensemble on any
 * machine.
 */
public enum Effort {
  /** About ten trainings of the usual filter. */
  QUICK(10, 3, 150, 4, 3_000),
  /** About fifty trainings of the usual filter. */
  NORMAL(50, 10, 1500, 10, 10_000),
  /** About two hundred and fifty trainings of the usual filter. */
  THOROUGH(250, 60, 15_000, 16, 30_000);

  private final int trainings;
  private final double least;
  private final double most;
  private final int members;
  private final int judges;

  Effort(int trainings, double least, double most, int members, int judges) {
    this.trainings = trainings;
    this.least = least;
    this.most = most;
    this.members = members;
    this.judges = judges;
  }

  /**
   * Return the work to spend, in processor seconds of a usual machine: neither too little to try
   * every kind of filter nor more than anybody waits for.
   *
   * @param training the work of a training of the usual filter
   */
  double work(double training) {
    return Math.max(least, Math.min(most, trainings * training));
  }

  /** Return the largest number of members. */
  int members() {
    return members;
  }

  /** Return the most users by whose lists mixtures are judged. */
  int judges() {
    return judges;
  }

  /**
   * Return the rounds without a better metric after which an ensemble of one kind of filter is
   * complete: half of all, since one or two may be worse by chance.
   */
  int patience() {
    return members / 2;
  }

  @Override
  public String toString() {
    return Choices.nameOf(this);
  }
}
