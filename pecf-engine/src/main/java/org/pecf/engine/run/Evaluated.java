package org.pecf.engine.run;

import java.util.Locale;
import org.pecf.api.data.Part;
import org.pecf.api.run.RunEvent;
import org.pecf.engine.evaluate.EvaluationReport;

/**
 * The event that the finished ensemble was measured on a part.
 *
 * @param part the part
 * @param report its metrics
 */
public record Evaluated(Part part, EvaluationReport report) implements RunEvent {
  @Override
  public String summary() {
    StringBuilder line = new StringBuilder(part.toString());
    report
        .named()
        .forEach(
            (key, value) -> {
              if (key.startsWith("recall@") || key.equals("wmse")) {
                line.append(String.format(Locale.ROOT, ", %s %.4f", key, value));
              }
            });
    report.sampled().ifPresent(sample -> line.append(", over ").append(sample));
    return line.toString();
  }
}
