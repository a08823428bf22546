package org.pecf.engine.split;

import org.pecf.api.PecfException;

/**
 * The weights of positives and of zeros before any re-weighting: c in the formulas.
 *
 * @param positive the weight of positives, above 0
 * @param zero the weight of zeros, between 0 and that of positives
 */
public record Confidence(float positive, float zero) {
  public Confidence {
    if (!(positive > 0 && zero >= 0 && positive < Float.POSITIVE_INFINITY && zero <= positive)) {
      throw PecfException.badOption(
          "The confidence %s:%s is out of range. The weight of positives must be finite and above"
              + " 0, that of zeros between 0 and it, for example 1:0.01.",
          positive, zero);
    }
  }

  /** Read a confidence such as {@code 1:0.01}. */
  public static Confidence parse(String text) {
    String[] parts = text.split(":", -1);
    try {
      if (parts.length == 2) {
        return new Confidence(Float.parseFloat(parts[0]), Float.parseFloat(parts[1]));
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw PecfException.badOption(
        "'%s' is no confidence. Write the weights of positives and of zeros, for example 1:0.01.",
        text);
  }

  /** Return the text that {@link #parse} reads. */
  @Override
  public String toString() {
    return positive + ":" + zero;
  }
}
