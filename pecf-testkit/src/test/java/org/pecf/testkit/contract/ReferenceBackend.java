package org.pecf.testkit.contract;

import org.pecf.api.compute.Availability;
import org.pecf.api.compute.ComputeBackendProvider;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.SessionContext;
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
  public Availability probe() {
    return new Availability(true, "works everywhere");
  }

  @Override
  public ComputeSession open(NoOptions options, SessionContext context) {
    return new ReferenceComputeSession(context);
  }
}
