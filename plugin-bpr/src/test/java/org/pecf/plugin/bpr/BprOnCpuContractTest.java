package org.pecf.plugin.bpr;

import java.util.Map;
import org.pecf.api.compute.ComputeBackendProvider;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.plugin.backend.cpu.CpuBackendProvider;
import org.pecf.testkit.contract.BaseFilterContract;

/** The lock-free mode without biases, on the CPU backend. */
class BprOnCpuContractTest extends BaseFilterContract {
  @Override
  protected BaseFilterProvider<?> provider() {
    return new BprProvider();
  }

  @Override
  protected Map<String, String> optionTexts() {
    return Map.of(
        "rank", "4",
        "iterations", "30",
        "learning-rate", "0.1",
        "learning-rate-schedule", "bold-driver",
        "negatives", "popularity",
        "popularity-power", "0.5",
        "bias", "false",
        "mode", "lock-free");
  }

  @Override
  protected ComputeSession open(SessionContext context) {
    return open(new CpuBackendProvider(), context);
  }

  private static <O extends Record> ComputeSession open(
      ComputeBackendProvider<O> provider, SessionContext context) {
    return provider.create(provider.options().bind("backend cpu", Map.of())).open(context);
  }
}
