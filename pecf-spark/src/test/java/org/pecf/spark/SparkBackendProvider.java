package org.pecf.spark;

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

/** The provider of a backend whose sessions bring data to Spark for every call, for tests alone. */
final class SparkBackendProvider implements ComputeBackendProvider<NoOptions> {
  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        "spark-in-tests", "the half-sweeps and lists of Spark", SpiVersion.CURRENT);
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
        return new Availability(true, "Spark " + Sessions.local().version());
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
        return new SparkComputeSession(context);
      }
    };
  }
}
