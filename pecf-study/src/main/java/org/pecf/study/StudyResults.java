package org.pecf.study;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
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

  /**
   * A metric of several seeds.
   *
   * @param values one a seed
   */
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  record Estimate(double... values) {
    @JsonProperty
    double mean() {
      return Statistics.mean(values);
    }

    /** Return half the width of the 95 % confidence interval, for several seeds. */
    @JsonProperty("halfWidth95")
    OptionalDouble halfWidth() {
      return values.length < 2
          ? OptionalDouble.empty()
          : OptionalDouble.of(Statistics.halfWidth(values));
    }

    /** Return the text with three decimals, without zeros before them. */
    String brief() {
      String text = String.format(Locale.ROOT, "%.3f", mean());
      return (values.length < 2
              ? text
              : text + String.format(Locale.ROOT, " ± %.3f", Statistics.halfWidth(values)))
          .replaceAll("\\b0\\.", ".");
    }

    /** Return the mean and, for several seeds, half the width of its confidence interval. */
    String text() {
      String text = String.format(Locale.ROOT, "%.4f", mean());
      return values.length < 2
          ? text
          : text + String.format(Locale.ROOT, " ± %.4f", Statistics.halfWidth(values));
    }
  }

  /** Return whether a training has results. */
  boolean has(String cell) {
    return jobs.containsKey(cell);
  }

  private Map<Long, JobResult> bySeed(String cell) {
    return jobs.getOrDefault(cell, Map.of());
  }

  /** Return how many ensembles were measured as members were added, the whole one included. */
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

  /** Return the median over seeds of the processor seconds of a training, if all have them. */
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
