package org.pecf.engine.data.split;

import java.util.List;
import org.pecf.api.PecfException;
import org.pecf.api.field.CellField;
import org.pecf.api.field.ItemWeights;
import org.pecf.api.field.Linear;
import org.pecf.api.memory.SparseCells;

/**
 * The weights of positives and of zeros before any re-weighting: c in the formulas.
 *
 * @param positive the weight of positives, above 0
 * @param zero the weight of zeros, between 0 and that of positives
 * @param popularity the exponent g by which the zeros of popular items weigh more: {@code q_j
 *     zero}, with q_j in proportion to {@code (n_j + 1)^g} for an item of n_j positives and a mean
 *     of one
 */
public record Confidence(float positive, float zero, float popularity) {
  public Confidence {
    if (!(popularity >= 0 && popularity <= 2)) {
      throw PecfException.badOption(
          "The exponent of popularity must be between 0 and 2, not %s. Write, for example,"
              + " 1:0.01:0.5.",
          popularity);
    }
    if (!(positive > 0 && zero >= 0 && positive < Float.POSITIVE_INFINITY && zero <= positive)) {
      throw PecfException.badOption(
          "The confidence %s:%s is out of range. The weight of positives must be finite and above"
              + " 0, that of zeros between 0 and it, for example 1:0.01.",
          positive, zero);
    }
  }

  /** Weigh the zeros of all items alike. */
  public Confidence(float positive, float zero) {
    this(positive, zero, 0);
  }

  /** Return the weights of all cells, given the positives. */
  public CellField weights(SparseCells positives) {
    if (popularity == 0) {
      return CellField.observed(positives, positive, zero);
    }
    CellField zeros =
        CellField.product(
            CellField.observed(positives, 0, zero),
            ItemWeights.ofPopularity(positives, popularity));
    return new Linear(
        List.of(
            new Linear.Term(1, CellField.observed(positives, positive, 0)),
            new Linear.Term(1, zeros)));
  }

  /** Read a confidence such as {@code 1:0.01} or {@code 1:0.01:0.5}. */
  public static Confidence parse(String text) {
    String[] parts = text.split(":", -1);
    try {
      if (parts.length == 2 || parts.length == 3) {
        return new Confidence(
            Float.parseFloat(parts[0]),
            Float.parseFloat(parts[1]),
            parts.length == 2 ? 0 : Float.parseFloat(parts[2]));
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw PecfException.badOption(
        "'%s' is not a confidence. Write the weights of positives and of zeros, for example 1:0.01"
            + " or, with an exponent of popularity, 1:0.01:0.5.",
        text);
  }

  /** Return the text that {@link #parse} reads. */
  @Override
  public String toString() {
    return positive + ":" + zero + (popularity == 0 ? "" : ":" + popularity);
  }
}
