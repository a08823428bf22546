package org.pecf.plugin.backend.cpu;

import java.util.Map;
import org.pecf.api.compute.ComputeBackendProvider;
import org.pecf.api.memory.GridShape;
import org.pecf.testkit.contract.ComputeBackendContract;

/** The backend in Java alone. */
class EjmlContractTest extends ComputeBackendContract {
  @Override
  protected ComputeBackendProvider<?> provider() {
    return new CpuBackendProvider();
  }

  /** More than one tile of 128 users x 1024 items either way. */
  @Override
  protected GridShape tiledShape() {
    return new GridShape(300, 1100);
  }

  @Override
  protected Map<String, String> optionTexts() {
    return Map.of("library", "ejml");
  }
}
