package ${package};

import org.pecf.api.compute.ComputeBackend;
import org.pecf.api.compute.ComputeBackendProvider;
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

  @Override
  public ComputeBackend create(NoOptions options) {
    return new MyBackend();
  }
}
