package org.pecf.engine.evaluate;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.pecf.api.PecfException;

/**
 * The name of one metric at one cutoff, as in {@code recall@50} or {@code wmse}.
 *
 * @param metric the id of the metric
 * @param cutoff M, at least 1; 0 for wmse, which has none
 */
public record MetricKey(String metric, int cutoff) {
  /** The id of recall. */
  public static final String RECALL = "recall";

  /** The id of the normalised discounted cumulative gain. */
  public static final String NDCG = "ndcg";

  /** The id of the coverage of the catalogue, a metric of all lists together. */
  public static final String COVERAGE = "coverage";

  /** The id of the weighted mean squared error, a metric of cells. */
  public static final String WMSE = "wmse";

  private static final Pattern FORM = Pattern.compile("([a-z][a-z0-9-]*)@([1-9][0-9]{0,8})");

  public MetricKey {
    if (metric.equals(WMSE) ? cutoff != 0 : cutoff < 1) {
      throw new IllegalArgumentException(metric + " has no cutoff " + cutoff);
    }
  }

  /** Read a key; whether there is such a metric is another question. */
  public static MetricKey parse(String text) {
    if (text.equals(WMSE)) {
      return new MetricKey(WMSE, 0);
    }
    Matcher form = FORM.matcher(text);
    if (!form.matches() || form.group(1).equals(WMSE)) {
      throw PecfException.badOption(
          "'%s' is not a metric at a cutoff. Write one as in '%s@50', or %s, which has none.",
          text, text.matches("[a-z][a-z0-9-]*") ? text : RECALL, WMSE);
    }
    return new MetricKey(form.group(1), Integer.parseInt(form.group(2)));
  }

  /** Return whether the metric has a value for every user, of which the average is reported. */
  public boolean ofUsers() {
    return !metric.equals(COVERAGE) && !metric.equals(WMSE);
  }

  /** Return whether one value is better than another: the higher, but of errors the lower. */
  public boolean better(double value, double than) {
    return metric.equals(WMSE) ? value < than : value > than;
  }

  /** Return the text that {@link #parse} reads. */
  @Override
  public String toString() {
    return cutoff == 0 ? metric : metric + "@" + cutoff;
  }
}
