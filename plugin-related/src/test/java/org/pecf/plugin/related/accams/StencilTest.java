package org.pecf.plugin.related.accams;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;

class StencilTest {
  /** Three users in clusters 2, 0, 2 of 3; two items in clusters 1, 0 of 2. */
  private static final Stencil FIRST =
      new Stencil(
          new int[] {2, 0, 2}, new int[] {1, 0}, 3, 2, new double[] {1, 2, 30, 40, 500, 600});

  private static final Stencil SECOND =
      new Stencil(new int[] {0, 0, 1}, new int[] {0, 0}, 2, 1, new double[] {-1, -7});

  @Test
  void looksUpTheEntryOfBothClusters() {
    assertEquals(600, FIRST.valueAt(0, 0));
    assertEquals(500, FIRST.valueAt(2, 1));
    assertEquals(2, FIRST.valueAt(1, 0));
    assertEquals(FIRST.place(Side.USERS, 2, 1), FIRST.place(Side.ITEMS, 1, 2));
  }

  @Test
  void compactingDropsEmptyClustersAlone() {
    Stencil compact = FIRST.compacted();
    assertEquals(2, compact.userClusters());
    assertArrayEquals(new double[] {1, 2, 500, 600}, compact.entries());
    for (int user = 0; user < 3; user++) {
      for (int item = 0; item < 2; item++) {
        assertEquals(FIRST.valueAt(user, item), compact.valueAt(user, item));
      }
    }
  }

  @Test
  void theModelScoresAMultipleOfTheSum() {
    try (RootAllocator allocator = new RootAllocator();
        FactorModel model =
            Stencil.model(
                allocator, new GridShape(3, 2), List.of(FIRST.compacted(), SECOND), 0.5)) {
      assertEquals(4, model.rank());
      for (int user = 0; user < 3; user++) {
        for (int item = 0; item < 2; item++) {
          double sum = FIRST.valueAt(user, item) + SECOND.valueAt(user, item);
          assertEquals(sum / 2, model.scoreAt(user, item), 1e-4);
        }
      }
    }
  }
}
