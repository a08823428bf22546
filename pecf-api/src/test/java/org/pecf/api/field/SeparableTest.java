package org.pecf.api.field;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.pecf.api.memory.FloatMatrix;

class SeparableTest {
  private static final Separable FIELD =
      new Separable(new float[] {0, 2, 0.5f}, new float[] {3, 0.25f});

  @Test
  void aValueIsTheProductOfBothNumbers() {
    assertEquals(6, FIELD.valueAt(1, 0));
    assertEquals(0.125f, FIELD.valueAt(2, 1));
    assertEquals(new ValueRange(0, 6), FIELD.background(1));
    Separable square = FIELD.times(FIELD);
    assertEquals(36, square.valueAt(1, 0));
    assertEquals(0.0625f, square.item(1));
    assertEquals(4, square.user(1));
  }

  @Test
  void tilesAreFilledByDefinition() {
    try (RootAllocator allocator = new RootAllocator();
        FloatMatrix tile = FloatMatrix.allocate(allocator, 2, 1)) {
      FIELD.fill(1, 1, tile);
      assertEquals(0.5f, tile.get(0, 0));
      assertEquals(0.125f, tile.get(1, 0));
    }
  }

  @Test
  void numbersAreFiniteAndNotNegative() {
    for (float wrong : new float[] {-1, Float.NaN, Float.POSITIVE_INFINITY}) {
      IllegalArgumentException error =
          assertThrows(
              IllegalArgumentException.class,
              () -> new Separable(new float[] {1}, new float[] {0, wrong}));
      assertEquals("the number of item 1 is " + wrong + ", not 0 or more", error.getMessage());
    }
  }
}
