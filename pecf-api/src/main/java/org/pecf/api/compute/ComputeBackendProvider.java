package org.pecf.api.compute;

import java.util.Optional;
import org.apiguardian.api.API;
import org.pecf.api.plugin.Provider;

/**
 * The provider of a compute backend: on this CPU, on a GPU, on other machines.
 *
 * @param <O> the options record
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface ComputeBackendProvider<O extends Record> extends Provider<O> {
  /** Say whether the backend works on this machine. Cheap; never throws. */
  Availability probe();

  /**
   * Open the backend for a run.
   *
   * @param options the bound options
   * @param context what the run lends
   */
  ComputeSession open(O options, SessionContext context);

  /**
   * Return what the hardware could do at best, if the backend works here and knows. Never throws.
   */
  default Optional<PeakRates> peakRates() {
    return Optional.empty();
  }
}
