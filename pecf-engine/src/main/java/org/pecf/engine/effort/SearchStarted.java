package org.pecf.engine.effort;

import org.pecf.api.run.RunEvent;

/**
 * The beginning of a search for settings. Events of its trainings follow, until {@link
 * SettingsChosen}.
 *
 * @param effort the effort
 * @param trainings the largest number of trainings
 */
public record SearchStarted(Effort effort, int trainings) implements RunEvent {
  @Override
  public String summary() {
    return "choosing settings with " + effort + " effort: up to " + trainings + " short trainings";
  }
}
