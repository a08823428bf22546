package org.pecf.engine.construct;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.pecf.api.compute.LeastSquaresPlan;
import org.pecf.api.run.RunEvent;
import org.pecf.api.run.TrainingStep;

/**
 * The event that a member has joined the ensemble.
 *
 * @param member counted from 1
 * @param members the largest number of members
 * @param filter the id of its filter
 * @param alpha its step length
 * @param lastStep the last step of its training, if the filter reported any
 * @param plans how the problems of its training were computed, in order
 * @param validation the metrics of the ensemble on the validation part; empty if there is none
 * @param seconds the duration of its round
 */
public record MemberFinished(
    int member,
    int members,
    String filter,
    double alpha,
    Optional<TrainingStep> lastStep,
    List<LeastSquaresPlan> plans,
    Map<String, Double> validation,
    double seconds)
    implements RunEvent {
  public MemberFinished {
    plans = List.copyOf(plans);
    validation = Collections.unmodifiableMap(new LinkedHashMap<>(validation));
  }

  @Override
  public String summary() {
    StringBuilder line = new StringBuilder();
    line.append(
        String.format(
            Locale.ROOT,
            "member %d/%d: %s joined with alpha %.4f after %.1f s",
            member,
            members,
            filter,
            alpha,
            seconds));
    validation.forEach(
        (key, value) -> {
          if (key.startsWith("recall@") || key.equals("wmse")) {
            line.append(String.format(Locale.ROOT, ", %s %.4f", key, value));
          }
        });
    return line.toString();
  }
}
