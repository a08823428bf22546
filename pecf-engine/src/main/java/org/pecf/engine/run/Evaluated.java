package org.pecf.engine.run;

import java.util.Locale;
import org.pecf.api.run.RunEvent;
import org.pecf.engine.evaluate.EvaluationReport;

/**
 * Say what the finished ensemble reaches on a part.
 *
 * @param part the part's name
 * @param report the figures
 */
public record Evaluated(String part, EvaluationReport report) implements RunEvent {
  @Override
  public String summary() {
    StringBuilder line = new StringBuilder(part);
    report
        .named()
        .forEach(
            (key, value) -> {
              if (key.startsWith("recall@") || key.equals("wmse")) {
                line.append(String.format(Locale.ROOT, ", %s %.4f", key, value));
              }
            });
    return line.toString();
  }
}
