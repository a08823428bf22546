package org.pecf.engine.evaluate;

/**
 * The metrics that an evaluation measures.
 *
 * <p>Throughout, M is the cutoff, P the number of the user's positives in the evaluated part, and
 * averages are over the users with P at least 1.
 */
public enum Metric {
  /** How many of the held-out positives are found. */
  RECALL(
      "recall",
      Scope.USER,
      Direction.HIGHER_IS_BETTER,
      "hits among the first M items / P, averaged over users with held-out positives"),
  /** The same against the most that a list of M items can hold. */
  TRUNCATED_RECALL(
      "truncated-recall",
      Scope.USER,
      Direction.HIGHER_IS_BETTER,
      "hits among the first M items / min(M, P), averaged over users with held-out positives"),
  /** How much of the list is held-out positives. */
  PRECISION(
      "precision",
      Scope.USER,
      Direction.HIGHER_IS_BETTER,
      "hits among the first M items / M, also where fewer than M items can be ranked, averaged"
          + " over users with held-out positives"),
  /** How high up the hits are, discounted by the logarithm of their place. */
  NDCG(
      "ndcg",
      Scope.USER,
      Direction.HIGHER_IS_BETTER,
      "sum over hits at place p <= M of 1/log2(p + 1), divided by that of min(M, P) hits at the"
          + " top, averaged over users with held-out positives"),
  /** How precise the list is at each hit. */
  MAP(
      "map",
      Scope.USER,
      Direction.HIGHER_IS_BETTER,
      "sum over hits at place p <= M of (hits among the first p items / p), divided by min(M, P),"
          + " averaged over users with held-out positives"),
  /** How high up the first hit is. */
  MRR(
      "mrr",
      Scope.USER,
      Direction.HIGHER_IS_BETTER,
      "1 / place of the first hit if it is at most M, else 0, averaged over users with held-out"
          + " positives"),
  /** How many users have a hit. */
  HIT_RATE(
      "hit-rate",
      Scope.USER,
      Direction.HIGHER_IS_BETTER,
      "the share of the users with held-out positives who have a hit among the first M items"),
  /** How much of the catalogue is ever shown. */
  COVERAGE(
      "coverage",
      Scope.LISTS,
      Direction.HIGHER_IS_BETTER,
      "distinct items among the first M items of any user with held-out positives / all items"),
  /** How far predictions are off, zeros included. */
  WMSE(
      "wmse",
      Scope.CELLS,
      Direction.LOWER_IS_BETTER,
      "sum of c (r - f)^2 / sum of c over the held-out cells, zeros included: the cells of the part"
          + " if all cells were divided, else the part's positives and the zeros of the data");

  /** The data that a metric is computed from. */
  public enum Scope {
    /** One value a user and cutoff, averaged. */
    USER,
    /** All lists together, one value a cutoff. */
    LISTS,
    /** The cells of the part; no cutoff. */
    CELLS
  }

  /** The direction in which a metric improves. */
  public enum Direction {
    /** The higher the better. */
    HIGHER_IS_BETTER,
    /** The lower the better. */
    LOWER_IS_BETTER
  }

  private final String id;
  private final Scope scope;
  private final Direction direction;
  private final String definition;

  Metric(String id, Scope scope, Direction direction, String definition) {
    this.id = id;
    this.scope = scope;
    this.direction = direction;
    this.definition = definition;
  }

  /** Return the name in keys, such as {@code recall} of {@code recall@50}. */
  public String id() {
    return id;
  }

  /** Return the kind of values that the metric is computed from. */
  public Scope scope() {
    return scope;
  }

  /** Return the direction in which the metric improves. */
  public Direction direction() {
    return direction;
  }

  /** Return the definition in one sentence, for reports. */
  public String definition() {
    return definition;
  }

  /** Return whether one value is better than another. */
  public boolean better(double value, double than) {
    return direction == Direction.HIGHER_IS_BETTER ? value > than : value < than;
  }
}
