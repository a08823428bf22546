package org.pecf.plugin.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.pecf.api.compute.ComputeBackendProvider;
import org.pecf.api.memory.GridShape;
import org.pecf.testkit.contract.ComputeBackendContract;

/**
 * The backend on the stand-in for CUDA, in small tiles; what it does not give back fails a test.
 * Work is done as late as it may be.
 */
@ExtendWith(Needs.LoadedStandIn.class)
class CudaContractTest extends ComputeBackendContract {
  @AfterEach
  void givesEverythingBack() {
    assertEquals(List.of(), StandIn.leaks());
  }

  @Override
  protected ComputeBackendProvider<?> provider() {
    return SmallTiles.ofScores();
  }

  /** A few dozen tiles: each takes as long as a large one. */
  @Override
  protected GridShape tiledShape() {
    return new GridShape(23, 45);
  }
}
