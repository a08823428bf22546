package org.pecf.api.run;

import org.apiguardian.api.API;

/** An event in a run. Events are immutable records; plugins may define their own. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface RunEvent {
  /** Return one line for people. */
  String summary();
}
