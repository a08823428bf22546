package org.pecf.engine.effort;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.pecf.api.run.RunEvent;

/**
 * The end of a candidate's training.
 *
 * @param candidate the candidate
 * @param done the number of trainings done
 * @param all the largest number of trainings
 * @param metric the name of the score
 */
public record CandidateMeasured(Candidate candidate, int done, int all, String metric)
    implements RunEvent {
  @Override
  public String summary() {
    return String.format(
        Locale.ROOT,
        "candidate %d/%d: %s %.4f after %d sweeps with %s",
        done,
        all,
        metric,
        candidate.score(),
        candidate.sweeps(),
        candidate.settings().entrySet().stream()
            .map((Map.Entry<String, String> entry) -> entry.getKey() + " " + entry.getValue())
            .collect(Collectors.joining(", ")));
  }
}
