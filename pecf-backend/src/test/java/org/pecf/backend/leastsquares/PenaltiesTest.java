package org.pecf.backend.leastsquares;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.pecf.api.compute.Ridge;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;

class PenaltiesTest {
  @Test
  void penaltiesGrowWithWeightAndKeepTheirMean() {
    Penalties penalties =
        Penalties.scaled(new Ridge(2, 3, 1), new double[] {1, 3}, new double[] {5, 5, 0});
    assertArrayEquals(new double[] {1, 3}, penalties.of(Side.USERS), 1e-12);
    assertArrayEquals(new double[] {4.5, 4.5, 0}, penalties.of(Side.ITEMS), 1e-12);
    assertEquals(1, penalties.unit(Side.USERS), 1e-12);
    assertEquals(0.9, penalties.unit(Side.ITEMS), 1e-12);
  }

  @Test
  void exponentZeroTreatsRowsAlike() {
    Ridge ridge = new Ridge(2, 3, 0);
    Penalties equal = Penalties.equal(ridge, 2, 1);
    Penalties scaled = Penalties.scaled(ridge, new double[] {1, 9}, new double[] {4});
    assertArrayEquals(new double[] {2, 2}, equal.of(Side.USERS));
    assertArrayEquals(equal.of(Side.USERS), scaled.of(Side.USERS));
    assertArrayEquals(equal.of(Side.ITEMS), scaled.of(Side.ITEMS));
  }

  @Test
  void penaltyIsHalfLambdaTimesSquares() {
    try (RootAllocator allocator = new RootAllocator();
        FactorModel model = FactorModel.allocate(allocator, new GridShape(2, 1), 2)) {
      model.side(Side.USERS).writeRows(0, 2, new float[] {1, 2, 3, 4});
      Penalties penalties = new Penalties(new double[] {2, 4}, new double[] {1}, 1, 1);
      assertEquals(1 * (1 + 4) + 2 * (9 + 16), penalties.penalty(Side.USERS, model), 1e-9);
    }
  }
}
