package org.pecf.study.report;

import java.util.List;
import org.pecf.page.Table;
import org.pecf.study.StudyJobs;

/**
 * A finished training of a study of re-weighting, as it is stored.
 *
 * @param request the request that was trained
 * @param data the fingerprint of the data
 * @param outcome the metrics of the ensemble and of its members
 * @param tables those parts of the report that show this ensemble alone
 */
record ReweightingJob(String request, String data, Outcome outcome, List<Table> tables)
    implements StudyJobs.Job {
  ReweightingJob {
    tables = List.copyOf(tables);
  }

  /**
   * The outcome of an ensemble, or a sum of them.
   *
   * @param alone the mean metric of its members by themselves
   * @param correlation the mean correlation of their errors
   * @param overlap the mean overlap of their lists
   * @param validation the metric of the ensemble on the validation part
   * @param test that on the test part
   */
  record Outcome(double alone, double correlation, double overlap, double validation, double test) {
    Outcome plus(Outcome other) {
      return new Outcome(
          alone + other.alone,
          correlation + other.correlation,
          overlap + other.overlap,
          validation + other.validation,
          test + other.test);
    }
  }
}
