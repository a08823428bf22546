package org.pecf.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;

/** Run on the stand-in device, for tests to extend; what is left allocated fails them. */
abstract class OnStandIn {
  final RootAllocator root = new RootAllocator();

  @BeforeAll
  static void standIn() {
    StandIn.problem().ifPresent(problem -> Assumptions.abort(problem));
  }

  @AfterEach
  void closeMemory() {
    StandIn.failNever();
    StandIn.setCapacity(0);
    root.close();
    assertEquals(List.of(), StandIn.leaks());
  }
}
