package ${package};

import org.pecf.api.compute.Availability;
import org.pecf.api.compute.ComputeBackendProvider;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.plugin.NoOptions;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of ${id}. */
public final class MyBackendProvider implements ComputeBackendProvider<NoOptions> {
  @Override
  public ProviderDescription describe() {
    return new ProviderDescription("${id}", "slow and obvious kernels", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<NoOptions> options() {
    return NoOptions.schema();
  }

  /** Return whether it works on this machine, or why not. Cheap, and never throws. */
  @Override
  public Availability probe() {
    return new Availability(true, "works everywhere, slowly: replace it kernel by kernel");
  }

  @Override
  public ComputeSession open(NoOptions options, SessionContext context) {
    return new ReferenceComputeSession(context);
  }
}
