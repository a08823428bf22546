package org.pecf.engine.plugin;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.pecf.api.PecfException;
import org.pecf.api.compute.Availability;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.PeakRates;
import org.pecf.api.compute.SessionContext;

/** Be a compute backend with its options bound, ready to be opened. */
public final class Backend {
  private final String id;
  private final Supplier<Availability> probe;
  private final Supplier<Optional<PeakRates>> peakRates;
  private final Function<SessionContext, ComputeSession> open;

  Backend(
      String id,
      Supplier<Availability> probe,
      Supplier<Optional<PeakRates>> peakRates,
      Function<SessionContext, ComputeSession> open) {
    this.id = id;
    this.probe = probe;
    this.peakRates = peakRates;
    this.open = open;
  }

  /** Return the id of its provider. */
  public String id() {
    return id;
  }

  /** Say whether the backend works on this machine. Never throws: a failure is a reason. */
  public Availability probe() {
    try {
      return probe.get();
    } catch (PecfException e) {
      return new Availability(false, e.getMessage());
    }
  }

  /** Return what the hardware could do at best, if the backend knows. */
  public Optional<PeakRates> peakRates() {
    return peakRates.get();
  }

  /** Open the backend for a run. */
  public ComputeSession open(SessionContext context) {
    return open.apply(context);
  }
}
