package org.pecf.api.run;

import org.apiguardian.api.API;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;

/** The signal that a run should stop. Once given, it stays. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@FunctionalInterface
public interface Cancellation {
  /** Return whether the run was asked to stop. Cheap: poll it once per tile of work. */
  boolean requested();

  /**
   * End the work at hand if the run was asked to stop.
   *
   * @throws PecfException with {@link ErrorCode#CANCELLED}
   */
  default void check() {
    if (requested()) {
      throw PecfException.cancelled();
    }
  }
}
