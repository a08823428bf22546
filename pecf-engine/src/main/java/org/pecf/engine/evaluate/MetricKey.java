package org.pecf.engine.evaluate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.Choices;

/**
 * The name of one metric at one cutoff, as in {@code recall@50} or {@code wmse}.
 *
 * @param metric the metric
 * @param cutoff M, at least 1; 0 for metrics of cells, which have none
 */
public record MetricKey(Metric metric, int cutoff) {
  public MetricKey {
    if (metric.scope() == Metric.Scope.CELLS ? cutoff != 0 : cutoff < 1) {
      throw new IllegalArgumentException(metric.id() + " has no cutoff " + cutoff);
    }
  }

  /** Read a key. */
  public static MetricKey parse(String text) {
    for (Metric metric : Metric.values()) {
      if (metric.scope() == Metric.Scope.CELLS) {
        if (text.equals(metric.id())) {
          return new MetricKey(metric, 0);
        }
      } else if (text.matches(metric.id() + "@[1-9][0-9]{0,8}")) {
        return new MetricKey(metric, Integer.parseInt(text.substring(metric.id().length() + 1)));
      }
    }
    String id = text.replaceAll("@.*", "");
    List<String> ids = Arrays.stream(Metric.values()).map(Metric::id).toList();
    throw PecfException.badOption(
        "'%s' is not a metric. Write one of %s, with a whole number for M, as in 'recall@50'.%s",
        text,
        String.join(
            ", ",
            Arrays.stream(Metric.values())
                .map(m -> m.scope() == Metric.Scope.CELLS ? m.id() : m.id() + "@M")
                .toList()),
        Choices.nearest(id, ids)
            .map(near -> near.equals(Metric.WMSE.id()) ? near : near + cutoff(text))
            .map(" Did you mean '%s'?"::formatted)
            .orElse(""));
  }

  private static String cutoff(String text) {
    return text.matches(".*@[1-9][0-9]{0,8}") ? text.substring(text.indexOf('@')) : "@50";
  }

  /** List the keys of all metrics that a request yields, in the order of reports. */
  public static List<MetricKey> of(EvaluationRequest request) {
    List<MetricKey> keys = new ArrayList<>();
    for (Metric metric : Metric.values()) {
      if (metric.scope() == Metric.Scope.CELLS) {
        keys.add(new MetricKey(metric, 0));
      } else {
        request.cutoffs().forEach(cutoff -> keys.add(new MetricKey(metric, cutoff)));
      }
    }
    return List.copyOf(keys);
  }

  /** Return the text that {@link #parse} reads. */
  @Override
  public String toString() {
    return cutoff == 0 ? metric.id() : metric.id() + "@" + cutoff;
  }
}
