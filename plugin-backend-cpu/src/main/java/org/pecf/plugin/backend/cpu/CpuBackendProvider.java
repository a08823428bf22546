package org.pecf.plugin.backend.cpu;

import java.lang.invoke.MethodHandles;
import org.pecf.api.PecfException;
import org.pecf.api.compute.Availability;
import org.pecf.api.compute.ComputeBackendProvider;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;
import org.pecf.backend.base.session.Guard;
import org.pecf.backend.base.session.GuardedSession;
import org.pecf.plugin.backend.cpu.algebra.Ejml;
import org.pecf.plugin.backend.cpu.algebra.LinearAlgebra;
import org.pecf.plugin.backend.cpu.algebra.OpenBlas;

/** The provider of this machine's cores. */
public final class CpuBackendProvider implements ComputeBackendProvider<CpuOptions> {
  private static final System.Logger LOGGER = System.getLogger(CpuBackendProvider.class.getName());

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        "cpu", "this machine's cores, by OpenBLAS or in Java alone", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<CpuOptions> options() {
    return OptionSchema.of(MethodHandles.lookup(), CpuOptions.class);
  }

  @Override
  public Availability probe() {
    return new Availability(true, algebra(CpuOptions.Library.AUTO).name());
  }

  @Override
  public ComputeSession open(CpuOptions options, SessionContext context) {
    return new GuardedSession(
        new CpuSession(algebra(options.library()), context),
        Guard.of(context.run().allocator()),
        context.run().listener());
  }

  private static LinearAlgebra algebra(CpuOptions.Library library) {
    if (library == CpuOptions.Library.EJML) {
      return new Ejml();
    }
    try {
      return OpenBlas.load();
    } catch (LinkageError | RuntimeException e) {
      if (library == CpuOptions.Library.OPENBLAS) {
        throw PecfException.unavailable(
                "OpenBLAS does not load on this machine (%s). Set the option library to ejml or"
                    + " auto.",
                e)
            .causedBy(e);
      }
      LOGGER.log(System.Logger.Level.INFO, "OpenBLAS does not load, using EJML: " + e);
      return new Ejml();
    }
  }
}
