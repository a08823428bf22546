package org.pecf.engine.run;

import org.pecf.api.run.RunEvent;

/**
 * Say what the run computes on.
 *
 * @param id the backend's id
 * @param explanation what it runs on, and why it was chosen
 * @param threads how many threads
 */
public record BackendOpened(String id, String explanation, int threads) implements RunEvent {
  @Override
  public String summary() {
    return "backend " + id + ": " + explanation + ", " + threads + " threads";
  }
}
