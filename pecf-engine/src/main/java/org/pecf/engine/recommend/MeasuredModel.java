package org.pecf.engine.recommend;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.pecf.engine.data.DatasetSummary;
import org.pecf.engine.data.split.SplitRule;
import org.pecf.engine.evaluate.EvaluationReport;
import org.pecf.engine.evaluate.EvaluationRequest;
import org.pecf.engine.model.ModelDescription;

/**
 * The metrics of a stored model, and how they were measured.
 *
 * @param reports the metrics by the name of the part, such as "test" or "new positives", in display
 *     order
 * @param split the division of the data
 * @param evaluation the cutoffs and candidates
 * @param data the summary of the data
 * @param dataFingerprint the fingerprint of the data
 * @param description the provenance of the model
 */
public record MeasuredModel(
    Map<String, EvaluationReport> reports,
    SplitRule split,
    EvaluationRequest evaluation,
    DatasetSummary data,
    String dataFingerprint,
    ModelDescription description) {
  public MeasuredModel {
    reports = Collections.unmodifiableMap(new LinkedHashMap<>(reports));
  }
}
