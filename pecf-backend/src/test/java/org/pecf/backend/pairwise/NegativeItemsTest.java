package org.pecf.backend.pairwise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Seed;
import org.pecf.testkit.fixture.TestGrids;

class NegativeItemsTest {
  private static final int ITEMS = 23;
  private static final int BLOCKS = 3;
  private static final int DRAWS = 20_000;

  private final RootAllocator root = new RootAllocator();

  @AfterEach
  void closeMemory() {
    root.close();
  }

  /** Item j has j positives, but for item 7, which has none. */
  private SparseCells positives() {
    return TestGrids.cellsWhere(
        root, new GridShape(ITEMS, ITEMS), (user, item) -> item != 7 && user < item);
  }

  @Test
  void drawsFromABlockInProportion() {
    for (double exponent : new double[] {0, 0.5, 1, 2}) {
      try (SparseCells positives = positives()) {
        NegativeItems negatives = new NegativeItems(positives, exponent, BLOCKS);
        for (int epoch = 0; epoch < 4; epoch++) {
          for (int block = 0; block < BLOCKS; block++) {
            assertProportions(positives, exponent, negatives, block);
          }
          negatives.shuffle(new Seed(epoch));
        }
      }
    }
  }

  private static void assertProportions(
      SparseCells positives, double exponent, NegativeItems negatives, int block) {
    assertFalse(negatives.empty(block));
    SplittableRandom random = new SplittableRandom(block);
    int[] counts = new int[ITEMS];
    for (int k = 0; k < DRAWS; k++) {
      counts[negatives.draw(block, random.nextLong())]++;
    }
    double total = 0;
    for (int item = 0; item < ITEMS; item++) {
      if (negatives.blockOf(item) == block) {
        total += Math.pow(positives.itemCount(item), exponent);
      }
    }
    double chiSquare = 0;
    for (int item = 0; item < ITEMS; item++) {
      double share =
          negatives.blockOf(item) == block
              ? Math.pow(positives.itemCount(item), exponent) / total
              : 0;
      if (share == 0) {
        assertEquals(0, counts[item], "item " + item + " of block " + negatives.blockOf(item));
      } else {
        double off = counts[item] - share * DRAWS;
        chiSquare += off * off / (share * DRAWS);
      }
    }
    // Seven degrees of freedom: 99.99 % are below 30.
    assertTrue(chiSquare < 30, "chi-square " + chiSquare + " at exponent " + exponent);
  }

  @Test
  void blocksAreOfOneSizeAndAtRandom() {
    try (SparseCells positives = positives()) {
      NegativeItems negatives = new NegativeItems(positives, 0, BLOCKS);
      int[] together = new int[ITEMS];
      int epochs = 3000;
      for (int epoch = 0; epoch < epochs; epoch++) {
        negatives.shuffle(new Seed(9).child("epoch", epoch));
        int[] sizes = new int[BLOCKS];
        for (int item = 0; item < ITEMS; item++) {
          sizes[negatives.blockOf(item)]++;
          together[item] += negatives.blockOf(item) == negatives.blockOf(0) ? 1 : 0;
        }
        for (int size : sizes) {
          assertTrue(size == 7 || size == 8, "a block of " + size);
        }
      }
      // Sizes 7, 8, 8: any other item is with item 0 with this probability.
      double share = (7 * 6 + 8 * 7 + 8 * 7) / (23.0 * 22);
      for (int item = 1; item < ITEMS; item++) {
        assertEquals(share, together[item] / (double) epochs, 0.04, "item " + item);
      }
    }
  }

  @Test
  void aBlockOfItemsWithoutPositivesIsEmptyByPopularity() {
    GridShape shape = new GridShape(4, 6);
    try (SparseCells positives = TestGrids.cellsWhere(root, shape, (user, item) -> item < 3)) {
      NegativeItems negatives = new NegativeItems(positives, 1, 2);
      assertFalse(negatives.empty(0));
      assertTrue(negatives.empty(1));
      assertFalse(new NegativeItems(positives, 0, 2).empty(1));
    }
  }
}
