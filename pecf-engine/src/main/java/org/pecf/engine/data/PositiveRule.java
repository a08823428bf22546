package org.pecf.engine.data;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.pecf.api.PecfException;

/**
 * The rule by which ratings are positives.
 *
 * @param comparison the comparison of a rating with the threshold
 * @param threshold the threshold
 */
public record PositiveRule(Comparison comparison, double threshold) {
  /** The comparison of a rating with a threshold. */
  public enum Comparison {
    /** None: every rating is a positive. */
    ALL("all"),
    /** At least the threshold. */
    AT_LEAST(">="),
    /** More than the threshold. */
    ABOVE(">"),
    /** Exactly the threshold. */
    EQUAL("=");

    private final String symbol;

    Comparison(String symbol) {
      this.symbol = symbol;
    }
  }

  private static final Pattern RULE = Pattern.compile("\\s*(>=|>|==?)\\s*([-+0-9.eE]+)\\s*");

  /** Return the rule that every rating is a positive. */
  public static PositiveRule all() {
    return new PositiveRule(Comparison.ALL, Double.NaN);
  }

  /** Parse a rule such as {@code >=5}, {@code >3.5}, {@code =5} or {@code all}. */
  public static PositiveRule parse(String text) {
    if (text.strip().equals("all")) {
      return all();
    }
    Matcher matcher = RULE.matcher(text);
    try {
      if (matcher.matches()) {
        Comparison comparison =
            switch (matcher.group(1)) {
              case ">=" -> Comparison.AT_LEAST;
              case ">" -> Comparison.ABOVE;
              default -> Comparison.EQUAL;
            };
        return new PositiveRule(comparison, Double.parseDouble(matcher.group(2)));
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw PecfException.badOption(
        "'%s' is not a rule for positives. Write for example '>=5', '>3.5', '=5' or 'all'.", text);
  }

  /** Return whether a rating is a positive. */
  public boolean accepts(float rating) {
    return switch (comparison) {
      case ALL -> true;
      case AT_LEAST -> rating >= threshold;
      case ABOVE -> rating > threshold;
      case EQUAL -> rating == threshold;
    };
  }

  @Override
  public String toString() {
    return comparison == Comparison.ALL
        ? comparison.symbol
        : String.format(Locale.ROOT, "%s%s", comparison.symbol, threshold);
  }
}
