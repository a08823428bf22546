package org.pecf.testkit.contract;

import org.pecf.api.compute.Availability;
import org.pecf.api.compute.ComputeBackend;
import org.pecf.api.compute.ComputeBackendProvider;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.memory.GridShape;
import org.pecf.api.plugin.NoOptions;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;
import org.pecf.testkit.reference.ReferenceComputeSession;

/** The reference session as a backend. */
class ReferenceBackend implements ComputeBackendProvider<NoOptions> {
  @Override
  public ProviderDescription describe() {
    return new ProviderDescription("reference", "slow and obvious", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<NoOptions> options() {
    return NoOptions.schema();
  }

  @Override
  public ComputeBackend create(NoOptions options) {
    return new ComputeBackend() {
      @Override
      public Availability probe() {
        return ReferenceBackend.this.probe();
      }

      @Override
      public int preference(GridShape shape) {
        return -1;
      }

      @Override
      public long memoryEstimate(SessionContext context, int rank) {
        return 0;
      }

      @Override
      public ComputeSession open(SessionContext context) {
        return ReferenceBackend.this.open(context);
      }
    };
  }

  Availability probe() {
    return new Availability(true, "slow and obvious, on any machine");
  }

  ComputeSession open(SessionContext context) {
    return new ReferenceComputeSession(context);
  }
}
