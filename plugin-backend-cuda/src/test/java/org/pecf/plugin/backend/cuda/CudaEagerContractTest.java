package org.pecf.plugin.backend.cuda;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;

/**
 * The same with everything the other way round: streams that nobody waits for run first, and
 * threads of a block in descending order.
 */
class CudaEagerContractTest extends CudaContractTest {
  private static final int DESCENDING = 1;

  @BeforeEach
  void turnRound() {
    StandIn.setOthersFirst(true);
    StandIn.setOrder(DESCENDING);
  }

  /** Not run again: hundreds of problems whose numbers do not depend on the order of work. */
  @Override
  public void neverReturnsWhatIsNotANumber() {}

  @AfterAll
  static void turnBack() {
    StandIn.setOthersFirst(false);
    StandIn.setOrder(0);
  }
}
