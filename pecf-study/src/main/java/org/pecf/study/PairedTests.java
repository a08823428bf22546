package org.pecf.study;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The comparison of several methods with one over the test users of one seed.
 *
 * @param seed the seed, which decides the division of the data
 * @param users the number of test users
 * @param differences the outcome by the id of the training
 */
record PairedTests(long seed, int users, Map<String, Difference> differences) {
  /** The chance of an error below which a difference is taken for one. */
  static final double LEVEL = 0.05;

  /**
   * The difference of a method from the one it is compared with.
   *
   * @param mean the mean over users
   * @param p the p-value of the paired t-test
   * @param corrected the p-value after Holm's correction for all comparisons of the seed
   */
  record Difference(double mean, double p, double corrected) {}

  /** Return the difference of a training. */
  Difference of(String cell) {
    return Objects.requireNonNull(differences.get(cell), cell);
  }

  /**
   * Compare.
   *
   * @param cells the ids of the trainings to compare
   * @param reference the id of the training to compare them with
   */
  static PairedTests of(StudyResults results, long seed, List<String> cells, String reference) {
    double[] own = results.perUser(reference, seed);
    double[] tests =
        cells.stream()
            .mapToDouble(cell -> Statistics.pairedTest(results.perUser(cell, seed), own))
            .toArray();
    double[] corrected = Statistics.holm(tests);
    Map<String, Difference> differences = new LinkedHashMap<>();
    for (int k = 0; k < tests.length; k++) {
      double mean = Statistics.mean(results.perUser(cells.get(k), seed)) - Statistics.mean(own);
      differences.put(cells.get(k), new Difference(mean, tests[k], corrected[k]));
    }
    return new PairedTests(seed, own.length, differences);
  }
}
