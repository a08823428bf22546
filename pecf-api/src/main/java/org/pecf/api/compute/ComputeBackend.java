package org.pecf.api.compute;

import java.util.Optional;
import org.apiguardian.api.API;
import org.pecf.api.memory.GridShape;

/** A way to run the kernels, with its options. Immutable. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface ComputeBackend {
  /** Return whether the backend works here with its options. Cheap; never throws. */
  Availability probe();

  /**
   * Return how much the backend is to be preferred for a grid where several work: automatic choice
   * takes the highest number. The processor of this machine is 0, a device that is faster for this
   * grid is above, a fallback below.
   */
  int preference(GridShape shape);

  /**
   * Estimate the bytes that a session takes of the run's memory at most, models aside.
   *
   * @param context the context that the session would be opened in
   * @param rank the number of factors of the models to be trained
   */
  long memoryEstimate(SessionContext context, int rank);

  /** Open the backend for a run. */
  ComputeSession open(SessionContext context);

  /** Return the best rates of the hardware, if the backend works here and knows. Never throws. */
  default Optional<PeakRates> peakRates() {
    return Optional.empty();
  }
}
