package org.pecf.plugin.graph;

import java.util.Map;
import org.pecf.api.compute.ComputeBackendProvider;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.plugin.backend.cpu.CpuBackendProvider;
import org.pecf.testkit.contract.BaseFilterContract;

/** Softmax factors without a graph, on the CPU backend. */
class SoftmaxOnCpuContractTest extends BaseFilterContract {
  @Override
  protected BaseFilterProvider<?> provider() {
    return new SoftmaxProvider();
  }

  @Override
  protected Map<String, String> optionTexts() {
    return Map.of(
        "rank", "6",
        "iterations", "12",
        "batch", "7",
        "learning-rate", "0.05",
        "layers", "0",
        "temperature", "0.3");
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
