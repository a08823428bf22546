package org.pecf.api.run;

import org.apiguardian.api.API;

/**
 * A listener that is notified of the events of a run, in order, on the thread that drives the run.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@FunctionalInterface
public interface RunListener {
  /** Return a listener that hears nothing. */
  static RunListener none() {
    return event -> {};
  }

  /** Receive an event; return soon. */
  void on(RunEvent event);
}
