package org.pecf.study;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;

/**
 * A metric of several seeds.
 *
 * @param values one a seed
 */
record Estimate(double... values) {
  double mean() {
    return Statistics.mean(values);
  }

  /** Return half the width of the 95 % confidence interval; NaN for one seed. */
  double halfWidth() {
    return Statistics.halfWidth(values);
  }

  /** Return the mean and, for several seeds, half the width of its confidence interval. */
  String text() {
    return values.length < 2
        ? String.format(Locale.ROOT, "%.4f", mean())
        : String.format(Locale.ROOT, "%.4f ± %.4f", mean(), halfWidth());
  }

  ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("mean", mean());
    if (values.length > 1) {
      json.put("halfWidth95", halfWidth());
    }
    ArrayNode seeds = json.putArray("values");
    for (double value : values) {
      seeds.add(value);
    }
    return json;
  }
}
