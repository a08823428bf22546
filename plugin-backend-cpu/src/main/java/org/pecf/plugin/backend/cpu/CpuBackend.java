package org.pecf.plugin.backend.cpu;

import org.pecf.api.PecfException;
import org.pecf.api.compute.Availability;
import org.pecf.api.compute.ComputeBackend;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.memory.GridShape;
import org.pecf.backend.algebra.Ejml;
import org.pecf.backend.algebra.LinearAlgebra;
import org.pecf.backend.algebra.OpenBlas;
import org.pecf.backend.session.MemoryEstimate;

/** The cores of this machine. */
record CpuBackend(CpuBackendProvider.Options options) implements ComputeBackend {
  private static final System.Logger LOGGER = System.getLogger(CpuBackend.class.getName());

  @Override
  public Availability probe() {
    try {
      return new Availability(true, algebra().name());
    } catch (PecfException e) {
      return new Availability(false, e.getMessage());
    }
  }

  @Override
  public int preference(GridShape shape) {
    return 0;
  }

  @Override
  public long memoryEstimate(SessionContext context, int rank) {
    return MemoryEstimate.bytes(context, rank);
  }

  @Override
  public ComputeSession open(SessionContext context) {
    return new CpuSession(algebra(), context);
  }

  private LinearAlgebra algebra() {
    if (options.library() == CpuBackendProvider.Options.Library.EJML) {
      return new Ejml();
    }
    try {
      return OpenBlas.load();
    } catch (LinkageError | RuntimeException e) {
      if (options.library() == CpuBackendProvider.Options.Library.OPENBLAS) {
        throw PecfException.unavailable(
                "OpenBLAS does not load on this machine (%s). Set cpu.library to ejml, or leave the"
                    + " choice to auto.",
                e)
            .causedBy(e);
      }
      LOGGER.log(System.Logger.Level.INFO, "OpenBLAS does not load, using EJML: " + e);
      return new Ejml();
    }
  }
}
