package ${package};

import org.pecf.api.compute.Availability;
import org.pecf.api.compute.ComputeBackend;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.memory.GridShape;

/** A backend of slow and obvious kernels. */
final class MyBackend implements ComputeBackend {
  /** Return whether it works on this machine, or why not. Cheap, and never throws. */
  @Override
  public Availability probe() {
    return new Availability(true, "works everywhere, slowly: replace it kernel by kernel");
  }

  /** Return a number below that of the CPU backend, which is 0: chosen by name only. */
  @Override
  public int preference(GridShape shape) {
    return -1;
  }

  /** Return the bytes that a session takes of the run's memory at most, models aside. */
  @Override
  public long memoryEstimate(SessionContext context, int rank) {
    return 0;
  }

  @Override
  public ComputeSession open(SessionContext context) {
    return new ReferenceComputeSession(context);
  }
}
