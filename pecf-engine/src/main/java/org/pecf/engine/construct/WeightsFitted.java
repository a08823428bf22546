package org.pecf.engine.construct;

import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.pecf.api.run.RunEvent;
import org.pecf.engine.evaluate.MetricKey;

/**
 * The event that the weights of all members were fitted together.
 *
 * @param filters the id of each member's filter
 * @param weights the weight of each member; members of weight zero are dropped unless others were
 *     trained by their predictions
 * @param rule the rule by which they were fitted
 * @param metric the metric that selected weights are fitted by, and that measures all
 * @param value its value on the best candidates of the validation part
 */
public record WeightsFitted(
    List<String> filters, List<Double> weights, MemberWeights rule, MetricKey metric, double value)
    implements RunEvent {
  public WeightsFitted {
    filters = List.copyOf(filters);
    weights = List.copyOf(weights);
  }

  @Override
  public String summary() {
    StringJoiner members = new StringJoiner(", ");
    for (int k = 0; k < weights.size(); k++) {
      members.add(String.format(Locale.ROOT, "%s %.3f", filters.get(k), weights.get(k)));
    }
    return String.format(
        Locale.ROOT, "weights %s on validation (%s %.4f): %s", rule, metric, value, members);
  }
}
