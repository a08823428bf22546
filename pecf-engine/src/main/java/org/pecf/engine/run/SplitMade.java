package org.pecf.engine.run;

import org.pecf.api.run.RunEvent;

/**
 * The event that reports the sizes of the parts.
 *
 * @param rule the rule, as text
 * @param training how many positives to learn from
 * @param validation how many to choose by
 * @param test how many to report on
 */
public record SplitMade(String rule, int training, int validation, int test) implements RunEvent {
  @Override
  public String summary() {
    return String.format(
        "split %s: %s training, %s validation, %s test positives",
        rule, training, validation, test);
  }
}
