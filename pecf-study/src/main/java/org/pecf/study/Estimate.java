package org.pecf.study;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * A metric of several seeds.
 *
 * @param values one a seed
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
record Estimate(double... values) {
  @JsonProperty
  double mean() {
    return Statistics.mean(values);
  }

  /** Return half the width of the 95 % confidence interval, for several seeds. */
  @JsonProperty("halfWidth95")
  OptionalDouble halfWidth() {
    return values.length < 2
        ? OptionalDouble.empty()
        : OptionalDouble.of(Statistics.halfWidth(values));
  }

  /** Return the text with three decimals, without zeros before them. */
  String brief() {
    String text = String.format(Locale.ROOT, "%.3f", mean());
    return (values.length < 2
            ? text
            : text + String.format(Locale.ROOT, " ± %.3f", Statistics.halfWidth(values)))
        .replaceAll("\\b0\\.", ".");
  }

  /** Return the mean and, for several seeds, half the width of its confidence interval. */
  String text() {
    String text = String.format(Locale.ROOT, "%.4f", mean());
    return values.length < 2
        ? text
        : text + String.format(Locale.ROOT, " ± %.4f", Statistics.halfWidth(values));
  }
}
