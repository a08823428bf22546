package org.pecf.api.run;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * The event that a base filter finished one step (a sweep, an epoch) of its training.
 *
 * @param filter the filter's id
 * @param step counted from 1
 * @param steps how many there are at most
 * @param measures named numbers such as "objective", in the order to show them
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record TrainingStep(String filter, int step, int steps, Map<String, Double> measures)
    implements RunEvent {
  public TrainingStep {
    measures = Collections.unmodifiableMap(new LinkedHashMap<>(measures));
  }

  @Override
  public String summary() {
    return filter
        + " step "
        + step
        + "/"
        + steps
        + measures.entrySet().stream()
            .map(entry -> String.format(Locale.ROOT, ", %s %.6g", entry.getKey(), entry.getValue()))
            .collect(Collectors.joining());
  }
}
