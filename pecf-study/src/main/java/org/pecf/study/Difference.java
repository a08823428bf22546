package org.pecf.study;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.ArrayList;
import java.util.List;

/**
 * The difference of a method from another over the test users of a seed.
 *
 * @param name the id of the method
 * @param label its name in tables
 * @param against the id of the method that it is compared with
 * @param seed the seed, which decides how the data is divided
 * @param difference that of the mean over users
 * @param p the p-value of the paired t-test
 * @param pHolm the p-value after Holm's correction for all comparisons of the seed
 * @param users the number of test users
 */
record Difference(
    String name,
    @JsonIgnore String label,
    String against,
    long seed,
    double difference,
    double p,
    double pHolm,
    int users) {
  /** The p-value below which a difference is taken for more than chance. */
  static final double LEVEL = 0.05;

  /**
   * Compare methods with one, seed by seed.
   *
   * @param methods the methods to compare, trained with the seeds of the other. Not modified.
   * @param against the id of the method to compare them with
   * @param reference the id of its training
   */
  static List<Difference> of(
      StudyResults results, List<StudyPlan.Entry> methods, String against, String reference) {
    // Methods may share a training, which is tested once.
    List<String> cells = methods.stream().map(StudyPlan.Entry::cell).distinct().toList();
    List<Difference> differences = new ArrayList<>();
    for (long seed : results.seeds(reference)) {
      double[] own = results.perUser(reference, seed);
      double[] p =
          cells.stream()
              .mapToDouble(cell -> Statistics.pairedTest(results.perUser(cell, seed), own))
              .toArray();
      double[] corrected = Statistics.holm(p);
      for (StudyPlan.Entry method : methods) {
        int place = cells.indexOf(method.cell());
        differences.add(
            new Difference(
                method.name(),
                method.label(),
                against,
                seed,
                Statistics.mean(results.perUser(method.cell(), seed)) - Statistics.mean(own),
                p[place],
                corrected[place],
                own.length));
      }
    }
    return differences;
  }

  /** Return whether it is more than chance among users. */
  boolean shown() {
    return pHolm < LEVEL;
  }
}
