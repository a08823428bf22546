package org.pecf.engine.effort;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Settings of a filter that fits weighted ratings with penalised factors. All numbers have two
 * digits, so that a command that repeats them is short and exact.
 *
 * @param rank the number of factors
 * @param lambda the penalty, as text
 * @param confidence the weights of positives and zeros, as text
 * @param exponent the power of a row's weight in its penalty, as text
 */
record FilterSettings(int rank, String lambda, String confidence, String exponent) {
  /** The options that settings decide, in the order to show them. */
  static final String RANK = "rank";

  static final String LAMBDA = "lambda";
  static final String CONFIDENCE = "confidence";
  static final String EXPONENT = "frequency-exponent";

  /** Return the settings as texts by option. */
  Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    texts.put(RANK, Integer.toString(rank));
    texts.put(LAMBDA, lambda);
    texts.put(CONFIDENCE, confidence);
    texts.put(EXPONENT, exponent);
    return texts;
  }

  /** Return the same with another rank, rounded and at least 1. */
  FilterSettings withRank(double other) {
    return new FilterSettings((int) Math.max(1, Math.round(other)), lambda, confidence, exponent);
  }

  /** Round to two digits. */
  static String rounded(double value) {
    return new BigDecimal(value).round(new MathContext(2)).stripTrailingZeros().toPlainString();
  }
}
