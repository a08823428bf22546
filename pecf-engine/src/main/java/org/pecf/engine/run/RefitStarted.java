package org.pecf.engine.run;

import java.util.Locale;
import org.pecf.api.run.RunEvent;

/**
 * The event that a measured plan is now trained on all data.
 *
 * @param members how many members
 * @param positives how many positives to learn from
 */
public record RefitStarted(int members, int positives) implements RunEvent {
  @Override
  public String summary() {
    return String.format(
        Locale.ROOT,
        "refit: the same plan, %d %s, on all %d positives",
        members,
        members == 1 ? "member" : "members",
        positives);
  }
}
