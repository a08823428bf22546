package org.pecf.plugin.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.pecf.api.compute.ComputeBackendProvider;
import org.pecf.api.memory.GridShape;
import org.pecf.testkit.contract.ComputeBackendContract;

/** The backend on OpenBLAS. */
class OpenBlasContractTest extends ComputeBackendContract {
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
    return Map.of("library", "openblas");
  }

  @Test
  void prefersOpenBlas() {
    CpuBackend backend =
        new CpuBackend(new CpuBackendProvider.Options(CpuBackendProvider.Options.Library.AUTO));
    assertTrue(backend.probe().explanation().startsWith("OpenBLAS"));
  }
}
