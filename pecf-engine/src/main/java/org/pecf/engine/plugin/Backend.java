package org.pecf.engine.plugin;

import java.util.Optional;
import org.pecf.api.PecfException;
import org.pecf.api.compute.Availability;
import org.pecf.api.compute.ComputeBackend;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.PeakRates;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.memory.GridShape;

/**
 * A compute backend under the id of its provider.
 *
 * @param id the id
 * @param compute the backend
 */
public record Backend(String id, ComputeBackend compute) implements ComputeBackend {
  /** Return whether the backend works here. Never throws: a failure is a reason. */
  @Override
  public Availability probe() {
    try {
      return compute.probe();
    } catch (PecfException e) {
      return new Availability(false, e.getMessage());
    }
  }

  @Override
  public int preference(GridShape shape) {
    return compute.preference(shape);
  }

  @Override
  public long memoryEstimate(SessionContext context, int rank) {
    return compute.memoryEstimate(context, rank);
  }

  @Override
  public ComputeSession open(SessionContext context) {
    return compute.open(context);
  }

  @Override
  public Optional<PeakRates> peakRates() {
    return compute.peakRates();
  }
}
