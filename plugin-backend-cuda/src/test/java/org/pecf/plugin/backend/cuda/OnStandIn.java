package org.pecf.plugin.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** A base of tests on the stand-in device, which fail if they leave memory allocated. */
@ExtendWith(Needs.LoadedStandIn.class)
abstract class OnStandIn {
  final RootAllocator root = new RootAllocator();

  @AfterEach
  void closeMemory() {
    StandIn.failNever();
    StandIn.setCapacity(0);
    StandIn.setOthersFirst(false);
    StandIn.setInTurns(false);
    StandIn.setPinning(true);
    root.close();
    assertEquals(List.of(), StandIn.leaks());
  }
}
