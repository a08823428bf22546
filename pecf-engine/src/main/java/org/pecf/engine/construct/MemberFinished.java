package org.pecf.engine.construct;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.pecf.api.run.RunEvent;

/**
 * Say that a member has joined the ensemble.
 *
 * @param member counted from 1
 * @param members how many there are at most
 * @param filter the id of its filter
 * @param alpha how much it counts
 * @param validation what the ensemble reaches on the validation part; empty if there is none
 * @param seconds how long it took
 */
public record MemberFinished(
    int member,
    int members,
    String filter,
    double alpha,
    Map<String, Double> validation,
    double seconds)
    implements RunEvent {
  public MemberFinished {
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
