package org.pecf.study;

import java.util.ArrayList;
import java.util.List;

/** The recall under one protocol and the recall by chance, seed by seed. */
final class ProtocolResult {
  private final Protocol protocol;
  private final List<List<Double>> recalls = new ArrayList<>();
  private final List<Chance> chances = new ArrayList<>();

  ProtocolResult(Protocol protocol) {
    this.protocol = protocol;
  }

  /**
   * Add the results of a seed.
   *
   * @param recall the recall of the first member, of the first two, and so on
   * @param chance the recall by chance
   */
  void add(List<Double> recall, Chance chance) {
    recalls.add(List.copyOf(recall));
    chances.add(chance);
  }

  Protocol protocol() {
    return protocol;
  }

  /** Return how many ensembles were measured on the way, the whole one included. */
  int prefixes() {
    return recalls.get(0).size();
  }

  /** Return the recall of the ensemble's first members. */
  Estimate recall(int prefix) {
    return new Estimate(recalls.stream().mapToDouble(recall -> recall.get(prefix)).toArray());
  }

  /** Return the recall of the whole ensemble. */
  Estimate recall() {
    return recall(prefixes() - 1);
  }

  /** Return the recall by chance. */
  Chance chance() {
    return Chance.average(chances);
  }

  /** Return how many deviations above chance the whole ensemble is. */
  double excess() {
    return chance().excess(recall().mean());
  }

  /** Return how many times chance the recall of the first members is. */
  double ratio(int prefix) {
    return recall(prefix).mean() / chance().mean();
  }
}
