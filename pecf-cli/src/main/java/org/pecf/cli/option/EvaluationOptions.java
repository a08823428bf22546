package org.pecf.cli.option;

import java.util.List;
import java.util.Map;
import org.pecf.engine.evaluate.CandidatePolicy;
import org.pecf.engine.evaluate.EvaluationRequest;
import org.pecf.engine.recommend.ModelEvaluation;

/** The options about the metrics to measure of a stored model. */
public final class EvaluationOptions extends RecordOptions<EvaluationRequest> {
  /** Create the options. */
  public EvaluationOptions() {
    super(
        Sections.EVALUATION,
        EvaluationRequest.SCHEMA,
        EvaluationRequest.SCHEMA.descriptions().stream()
            .map(option -> otherwise(option, "as when the model was trained"))
            .toList(),
        List.of());
  }

  /** Pass on the options that were given to the evaluation of a stored model. */
  public void applyTo(ModelEvaluation evaluation) {
    Map<String, String> texts = texts();
    EvaluationRequest request =
        EvaluationRequest.SCHEMA.with(
            "", new EvaluationRequest(List.of(1), CandidatePolicy.ALL), texts);
    if (texts.containsKey("cutoffs")) {
      evaluation.cutoffs(request.cutoffs());
    }
    if (texts.containsKey("candidates")) {
      evaluation.candidates(request.candidates());
    }
    if (texts.containsKey("sample-users")) {
      evaluation.sampleUsers(request.sampleUsers());
    }
    if (texts.containsKey("metrics")) {
      evaluation.metrics(request.metrics());
    }
  }
}
