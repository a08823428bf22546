package org.pecf.engine.effort;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class EffortTest {
  /** More work must not end sooner: two rounds without gain may be chance. */
  @Test
  void patienceGrowsWithTheEffort() {
    Effort before = Effort.QUICK;
    for (Effort effort : new Effort[] {Effort.NORMAL, Effort.THOROUGH}) {
      assertTrue(effort.patience() > Math.max(2, before.patience()), effort.toString());
      assertTrue(effort.members() > before.members(), effort.toString());
      before = effort;
    }
  }
}
