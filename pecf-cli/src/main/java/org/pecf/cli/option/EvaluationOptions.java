package org.pecf.cli.option;

import org.pecf.engine.evaluate.CandidatePolicy;
import org.pecf.engine.evaluate.EvaluationRequest;
import org.pecf.engine.recommend.ModelEvaluation;
import org.pecf.engine.split.SplitRule;
import picocli.CommandLine.Option;

/** Take the options that say what to measure. Null is what was not said. */
@Section("Evaluation")
public final class EvaluationOptions {
  @Option(
      names = "--cutoffs",
      paramLabel = "M,...",
      description = "The lengths of ranked lists to measure (default: 50,100,200).")
  String cutoffs;

  @Option(
      names = "--candidates",
      paramLabel = "WHICH",
      description =
          "Which items are ranked for a user: all-but-known (training positives, and validation"
              + " positives where test is measured, are left out), all-but-training, part-cells or"
              + " all (default: all-but-known; part-cells with a split of all cells).")
  String candidates;

  /** Refuse what the study of protocols decides for itself. */
  void checkProtocols() {
    if (candidates != null) {
      throw Values.bad(
          "--candidates has no meaning with --only protocols, which compares them. Leave it out");
    }
  }

  /** Pass on the options that were given to the evaluation of a stored model. */
  public void applyTo(ModelEvaluation evaluation) {
    if (cutoffs != null) {
      evaluation.cutoffs(Values.positiveIntegers("--cutoffs", cutoffs));
    }
    if (candidates != null) {
      evaluation.candidates(Values.choice("--candidates", candidates, CandidatePolicy.values()));
    }
  }

  /** Say what to measure; what was not said is as in the given request. */
  public EvaluationRequest request(EvaluationRequest otherwise) {
    return new EvaluationRequest(
        cutoffs == null ? otherwise.cutoffs() : Values.positiveIntegers("--cutoffs", cutoffs),
        candidates == null
            ? otherwise.candidates()
            : Values.choice("--candidates", candidates, CandidatePolicy.values()));
  }

  /** Say what to measure, filling in what is usual with a split. */
  public EvaluationRequest request(SplitRule split) {
    return request(EvaluationRequest.standard(split));
  }
}
