package org.pecf.spark;

import java.util.Locale;
import org.pecf.api.PecfException;

/**
 * The rule by which a new member counts.
 *
 * @param kind the kind of rule
 * @param value the number of a fixed rule
 */
record AlphaRule(Kind kind, double value) {
  /** The kinds of rules. */
  enum Kind {
    /** All members count the same. */
    UNIFORM,
    /** The line search for the least weighted squared error. */
    DYNAMIC,
    /** The same number every time. */
    FIXED
  }

  private static final String FIXED = "fixed:";

  /** Read a rule such as {@code uniform}, {@code dynamic} or {@code fixed:0.4}. */
  static AlphaRule parse(String text) {
    try {
      if (text.equals("uniform")) {
        return new AlphaRule(Kind.UNIFORM, 0);
      }
      if (text.equals("dynamic")) {
        return new AlphaRule(Kind.DYNAMIC, 0);
      }
      if (text.startsWith(FIXED)) {
        double value = Double.parseDouble(text.substring(FIXED.length()));
        if (value >= 0 && value <= 1) {
          return new AlphaRule(Kind.FIXED, value);
        }
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw PecfException.badOption(
        "'%s' is not a rule for alpha. Write uniform, dynamic or, with a number from 0 to 1,"
            + " fixed:0.4.",
        text);
  }

  /**
   * Return the alpha of the next member.
   *
   * @param members the number of members before it
   * @param sums the sums over all cells that a line search needs
   */
  double of(int members, LineSums sums) {
    return switch (kind) {
      case UNIFORM -> 1.0 / (members + 1);
      case FIXED -> value;
      case DYNAMIC -> sums.alpha();
    };
  }

  /** Return the text that {@link #parse} reads. */
  @Override
  public String toString() {
    return kind == Kind.FIXED ? FIXED + value : kind.name().toLowerCase(Locale.ROOT);
  }

  /**
   * The sums of a line search from the prediction f to the new member g.
   *
   * @param residual {@code sum c (r - f) (g - f)}
   * @param squares {@code sum c (g - f)^2}
   */
  record LineSums(double residual, double squares) {
    private double alpha() {
      return squares > 0 ? Math.max(0, Math.min(1, residual / squares)) : 0;
    }
  }
}
