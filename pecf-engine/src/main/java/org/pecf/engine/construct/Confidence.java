package org.pecf.engine.construct;

import org.pecf.api.PecfException;

/**
 * The confidences c: how much a positive and a zero count in training.
 *
 * @param positive c of positives, above 0
 * @param zero c of zeros, at least 0
 */
public record Confidence(float positive, float zero) {
  public Confidence {
    if (!(positive > 0 && zero >= 0 && positive < Float.POSITIVE_INFINITY && zero <= positive)) {
      throw PecfException.badOption(
          "Confidences must be finite, that of positives above 0, that of zeros between 0 and it,"
              + " not %s:%s. Write for example 1:0.01.",
          positive, zero);
    }
  }

  /** Read confidences such as {@code 1:0.01}. */
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
        "'%s' does not say how much positives and zeros count. Write for example 1:0.01.", text);
  }
}
