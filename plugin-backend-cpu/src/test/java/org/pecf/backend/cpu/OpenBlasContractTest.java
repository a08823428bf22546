package org.pecf.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.pecf.api.compute.ComputeBackendProvider;
import org.pecf.testkit.ComputeBackendContract;

/** The backend on OpenBLAS. */
class OpenBlasContractTest extends ComputeBackendContract {
  @Override
  protected ComputeBackendProvider<?> provider() {
    return new CpuBackendProvider();
  }

  @Override
  protected Map<String, String> optionTexts() {
    return Map.of("library", "openblas");
  }

  @Test
  void prefersOpenBlas() {
    assertTrue(provider().probe().explanation().startsWith("OpenBLAS"));
  }
}
