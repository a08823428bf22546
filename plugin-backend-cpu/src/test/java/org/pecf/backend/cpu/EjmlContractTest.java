package org.pecf.backend.cpu;

import java.util.Map;
import org.pecf.api.compute.ComputeBackendProvider;
import org.pecf.testkit.ComputeBackendContract;

/** The backend in Java alone. */
class EjmlContractTest extends ComputeBackendContract {
  @Override
  protected ComputeBackendProvider<?> provider() {
    return new CpuBackendProvider();
  }

  @Override
  protected Map<String, String> optionTexts() {
    return Map.of("library", "ejml");
  }
}
