package org.pecf.study;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The metrics of a study.
 *
 * @param jobs results by seed, by the id of the training
 */
record StudyResults(Map<String, Map<Long, JobResult>> jobs) {
  /** Return whether anything is known of a training. */
  boolean has(String cell) {
    return jobs.containsKey(cell);
  }

  private Map<Long, JobResult> bySeed(String cell) {
    return jobs.getOrDefault(cell, Map.of());
  }

  /** Return how many ensembles were measured on the way, the whole one included. */
  int prefixes(String cell) {
    return bySeed(cell).values().stream().mapToInt(job -> job.prefixes().size()).min().orElse(0);
  }

  /** Return a test metric of the whole ensemble. */
  Estimate estimate(String cell, String metric) {
    return new Estimate(
        bySeed(cell).values().stream().mapToDouble(job -> job.test().get(metric)).toArray());
  }

  /** Return a test metric of the ensemble's first members. */
  Estimate estimate(String cell, int prefix, String metric) {
    return new Estimate(
        bySeed(cell).values().stream()
            .mapToDouble(job -> job.prefixes().get(prefix).get(metric))
            .toArray());
  }

  /** Return the seeds that a training was done with. */
  List<Long> seeds(String cell) {
    return List.copyOf(bySeed(cell).keySet());
  }

  /** Return the recall of every test user for a seed. */
  double[] perUser(String cell, long seed) {
    JobResult job = bySeed(cell).get(seed);
    return job == null ? new double[0] : job.perUser();
  }

  /** Return the seconds of every job. */
  Map<String, Double> seconds() {
    Map<String, Double> seconds = new LinkedHashMap<>();
    jobs.forEach(
        (cell, bySeed) ->
            bySeed.forEach((seed, job) -> seconds.put(cell + "-seed-" + seed, job.seconds())));
    return seconds;
  }
}
