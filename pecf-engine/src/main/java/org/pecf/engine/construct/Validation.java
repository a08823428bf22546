package org.pecf.engine.construct;

import org.pecf.api.compute.ComputeSession;
import org.pecf.api.field.CellField;
import org.pecf.api.run.Cancellation;
import org.pecf.engine.data.split.Confidence;
import org.pecf.engine.data.split.MeasuredPart;
import org.pecf.engine.evaluate.EvaluationReport;
import org.pecf.engine.evaluate.Evaluator;
import org.pecf.engine.evaluate.Metrics;

/**
 * The validation part as a construction sees it: it measures rounds on it, and passes its cells to
 * an alpha strategy that asks for them. The test part cannot be reached from it.
 *
 * @param part the validation part, with one positive at least
 * @param confidence c of positives and zeros
 */
public record Validation(MeasuredPart part, Confidence confidence) {
  /** Measure a prediction. */
  EvaluationReport measure(
      CellField prediction, Metrics metrics, ComputeSession session, Cancellation cancellation) {
    return Evaluator.evaluate(prediction, part, metrics, confidence, session, cancellation);
  }

  /** Return r: 1 on validation positives, else 0. */
  CellField ratings() {
    return CellField.observed(part.positives(), 1, 0);
  }

  /**
   * Return c on validation cells, zero elsewhere. Where only positives are divided, all cells but
   * the training positives stand in for the zeros of the part.
   */
  CellField weights() {
    return Evaluator.weights(part, confidence);
  }
}
