package org.pecf.engine.resource;

import org.pecf.api.run.RunEvent;

/**
 * The event that names the backend of a run.
 *
 * @param id the backend's id
 * @param explanation the device it runs on
 * @param threads how many threads
 * @param passedOver which backends would have been preferred, and why they were not taken; empty if
 *     none would
 */
public record BackendOpened(String id, String explanation, int threads, String passedOver)
    implements RunEvent {
  @Override
  public String summary() {
    return String.format(
        "backend %s: %s, %s threads%s",
        id, explanation, threads, passedOver.isEmpty() ? "" : "; " + passedOver);
  }
}
