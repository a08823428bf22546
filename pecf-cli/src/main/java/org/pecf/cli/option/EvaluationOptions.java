package org.pecf.cli.option;

import org.pecf.engine.evaluate.CandidatePolicy;
import org.pecf.engine.evaluate.EvaluationRequest;
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
          "Which items are ranked for a user: all-but-training, all-but-known, part-cells or all"
              + " (default: all-but-training).")
  String candidates;

  /** Say what to measure; what was not said is as in the given request. */
  public EvaluationRequest request(EvaluationRequest otherwise) {
    return new EvaluationRequest(
        cutoffs == null ? otherwise.cutoffs() : Values.positiveIntegers("--cutoffs", cutoffs),
        candidates == null
            ? otherwise.candidates()
            : Values.choice("--candidates", candidates, CandidatePolicy.values()));
  }

  /** Say what to measure, filling in defaults. */
  public EvaluationRequest request() {
    return request(EvaluationRequest.standard());
  }
}
