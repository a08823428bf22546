package org.pecf.engine.effort;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.pecf.api.run.RunEvent;

/**
 * The end of a race.
 *
 * @param effort the effort, or the budget
 * @param options the options that were chosen: texts by key
 * @param reasons sentences that say why
 * @param candidates all that took part, in the order of their trainings
 * @param score the validation metric of the best single filter
 * @param metric the name of the score
 */
public record SettingsChosen(
    String effort,
    Map<String, String> options,
    List<String> reasons,
    List<Candidate> candidates,
    double score,
    String metric)
    implements RunEvent {
  public SettingsChosen {
    options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
    reasons = List.copyOf(reasons);
    candidates = List.copyOf(candidates);
  }

  @Override
  public String summary() {
    return String.format(
        Locale.ROOT,
        "chosen of %d: %s (one filter: %s %.4f on validation)",
        candidates.stream().map(Candidate::words).distinct().count(),
        options.entrySet().stream()
            .map((Map.Entry<String, String> entry) -> entry.getKey() + " " + entry.getValue())
            .collect(Collectors.joining(", ")),
        metric,
        score);
  }
}
