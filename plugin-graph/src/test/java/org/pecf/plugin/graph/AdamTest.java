package org.pecf.plugin.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.testkit.fixture.DirectParallelism;

/** Two steps of Adam, computed by hand. */
class AdamTest {
  @Test
  void movesByTheRunningMeans() {
    GridShape shape = new GridShape(1, 1);
    try (RootAllocator root = new RootAllocator();
        FactorModel state = FactorModel.allocate(root, shape, 3);
        FactorModel gradient = FactorModel.allocate(root, shape, 1)) {
      state.users().set(0, 0, 5);
      gradient.users().set(0, 0, 2);
      new Adam(0.1, 1).step(state, gradient, new DirectParallelism());
      // The first step goes the whole rate, whatever the slope.
      assertEquals(4.9f, state.users().get(0, 0), 1e-6f);
      assertEquals(0.2f, state.users().get(0, 1), 1e-6f);
      assertEquals(0.004f, state.users().get(0, 2), 1e-7f);
      gradient.users().set(0, 0, -1);
      new Adam(0.1, 2).step(state, gradient, new DirectParallelism());
      // Mean (0.18 - 0.1) / 0.19, square (0.003996 + 0.001) / 0.001999.
      double expected = 4.9 - 0.1 * (0.08 / 0.19) / Math.sqrt(0.004996 / 0.001999);
      assertEquals(expected, state.users().get(0, 0), 1e-5);
      assertEquals(0, state.items().get(0, 0), "an item without a slope stays");
    }
  }
}
