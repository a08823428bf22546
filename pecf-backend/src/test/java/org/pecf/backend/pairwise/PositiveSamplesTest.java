package org.pecf.backend.pairwise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Seed;
import org.pecf.testkit.fixture.TestGrids;

class PositiveSamplesTest {
  private static final GridShape SHAPE = new GridShape(60, 40);
  private static final int BLOCKS = 4;

  private final RootAllocator root = new RootAllocator();

  @AfterEach
  void closeMemory() {
    root.close();
  }

  /** Count how often each cell is sampled in an epoch; check that slices hold what they should. */
  private static int[][] counts(PositiveSamples samples, double offset) {
    int[][] counts = new int[SHAPE.users()][SHAPE.items()];
    for (int block = 0; block < BLOCKS; block++) {
      samples.choose(block, offset, item -> item % BLOCKS, new Seed(block));
      assertEquals(0, samples.sliceStart(block, 0));
      for (int slice = 0; slice < BLOCKS; slice++) {
        for (int k = samples.sliceStart(block, slice);
            k < samples.sliceStart(block, slice + 1);
            k++) {
          int user = (int) (samples.samples()[samples.blockStart(block) + k] >>> 32);
          int item = (int) samples.samples()[samples.blockStart(block) + k];
          counts[user][item]++;
          assertTrue(user >= samples.firstUser(block) && user < samples.firstUser(block + 1));
          assertEquals(slice, item % BLOCKS, "slice of item " + item);
        }
      }
    }
    return counts;
  }

  @Test
  void equalWeightsVisitEveryPositiveOnce() {
    try (SparseCells positives = TestGrids.randomCells(root, SHAPE, 0.2, 1)) {
      PositiveSamples samples = new PositiveSamples(positives, null, BLOCKS);
      int[][] counts = counts(samples, 0.37);
      for (int user = 0; user < SHAPE.users(); user++) {
        for (int item = 0; item < SHAPE.items(); item++) {
          assertEquals(positives.contains(user, item) ? 1 : 0, counts[user][item]);
        }
      }
    }
  }

  @Test
  void weightsAreRoundedUpOrDownAndMetOnAverage() {
    try (SparseCells positives = TestGrids.randomCells(root, SHAPE, 0.2, 2);
        ArrowBuf weights = root.buffer((long) positives.count() * Float.BYTES)) {
      double sum = 0;
      int above = 0;
      for (int k = 0; k < positives.count(); k++) {
        float weight = k % 5 * (k % 11 == 0 ? 3.7f : 0.1f);
        weights.setFloat((long) k * Float.BYTES, weight);
        sum += weight;
        above += weight > 0 ? 1 : 0;
      }
      PositiveSamples samples = new PositiveSamples(positives, weights, BLOCKS);
      int epochs = 200;
      double[] totals = new double[positives.count()];
      for (int epoch = 0; epoch < epochs; epoch++) {
        // Offsets at the midpoints of as many equal parts of [0, 1).
        int[][] counts = counts(samples, (epoch + 0.5) / epochs);
        int all = 0;
        for (int user = 0; user < SHAPE.users(); user++) {
          for (int k = positives.userStart(user); k < positives.userStart(user + 1); k++) {
            int count = counts[user][positives.itemAt(k)];
            double due = weights.getFloat((long) k * Float.BYTES) * above / sum;
            assertTrue(
                count >= Math.floor(due - 1e-9) && count <= Math.ceil(due + 1e-9),
                count + " samples where " + due + " are due");
            totals[k] += count;
            all += count;
          }
        }
        assertEquals(above, all, 1);
      }
      for (int k = 0; k < totals.length; k++) {
        double due = weights.getFloat((long) k * Float.BYTES) * above / sum;
        assertEquals(due, totals[k] / epochs, 1.01 / epochs);
      }
    }
  }

  @Test
  void refusesWeightsThatAreNone() {
    try (SparseCells positives = TestGrids.randomCells(root, SHAPE, 0.2, 3);
        ArrowBuf weights = root.buffer((long) positives.count() * Float.BYTES)) {
      for (float wrong : new float[] {-1, Float.NaN, Float.POSITIVE_INFINITY}) {
        weights.setZero(0, weights.capacity());
        weights.setFloat(8, wrong);
        assertThrows(
            IllegalArgumentException.class, () -> new PositiveSamples(positives, weights, BLOCKS));
      }
    }
  }
}
