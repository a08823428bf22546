package org.pecf.engine.data;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.pecf.api.PecfException;

/**
 * Decide which ratings are positives.
 *
 * @param comparison how a rating is compared
 * @param threshold with what
 */
public record PositiveRule(Comparison comparison, double threshold) {
  /** Name the comparisons. */
  public enum Comparison {
    /** Every rating is a positive. */
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

  /** Take every rating as a positive. */
  public static PositiveRule all() {
    return new PositiveRule(Comparison.ALL, Double.NaN);
  }

  /** Read a rule such as {@code >=5}, {@code >3.5}, {@code =5} or {@code all}. */
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
        "'%s' does not say which ratings are positives. Write for example '>=5', '>3.5', '=5' or"
            + " 'all'.",
        text);
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
