package org.pecf.study;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The metrics of a study.
 *
 * @param jobs results by seed, by the id of the training
 */
record StudyResults(Map<String, Map<Long, JobResult>> jobs) {
  /**
   * The time that a job took.
   *
   * @param seconds by the wall
   * @param processorSeconds of processors
   */
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  record Times(double seconds, Optional<Double> processorSeconds) {}

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

  /** Return the metric that methods are compared by, of every test user for a seed. */
  double[] perUser(String cell, long seed) {
    JobResult job = bySeed(cell).get(seed);
    return job == null ? new double[0] : job.perUser();
  }

  /** Return the median of the processor seconds of a training with the seeds, if all have them. */
  OptionalDouble processorSeconds(String cell) {
    double[] sorted =
        bySeed(cell).values().stream()
            .flatMap(job -> job.processorSeconds().stream())
            .mapToDouble(Double::doubleValue)
            .sorted()
            .toArray();
    int count = sorted.length;
    return count == 0 || count < bySeed(cell).size()
        ? OptionalDouble.empty()
        : OptionalDouble.of((sorted[(count - 1) / 2] + sorted[count / 2]) / 2);
  }

  /** Return the times of every job. */
  Map<String, Times> times() {
    Map<String, Times> times = new LinkedHashMap<>();
    jobs.forEach(
        (cell, bySeed) ->
            bySeed.forEach(
                (seed, job) ->
                    times.put(
                        cell + "-seed-" + seed, new Times(job.seconds(), job.processorSeconds()))));
    return times;
  }
}
