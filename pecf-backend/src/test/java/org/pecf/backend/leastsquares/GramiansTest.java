package org.pecf.backend.leastsquares;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.SplittableRandom;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.run.Parallelism;
import org.pecf.backend.algebra.Ejml;
import org.pecf.backend.algebra.MatrixSlice;
import org.pecf.backend.algebra.Worker;

class GramiansTest {
  private static final int RANK = 5;

  /** More than one run of groups, and a last group that is not full. */
  private static final int ROWS = Gramians.GROUP * Gramians.RUN + 700;

  private static Parallelism oneThread() {
    return new Parallelism() {
      @Override
      public int threads() {
        return 1;
      }

      @Override
      public void forEach(int count, Task task) {
        for (int index = 0; index < count; index++) {
          task.run(index, 0);
        }
      }
    };
  }

  @Test
  void groupsAddUpToTheWhole() {
    try (RootAllocator root = new RootAllocator();
        Worker worker = new Worker(root, new Ejml().caller());
        FloatMatrix matrix = FloatMatrix.allocate(root, ROWS, RANK)) {
      SplittableRandom random = new SplittableRandom(1);
      double[] expected = new double[Gramians.size(RANK)];
      for (int row = 0; row < ROWS; row++) {
        float[] values = new float[RANK];
        for (int k = 0; k < RANK; k++) {
          values[k] = (float) random.nextGaussian();
        }
        matrix.writeRows(row, 1, values);
        for (int a = 0, at = 0; a < RANK; a++) {
          for (int b = a; b < RANK; b++) {
            expected[at++] += (double) values[a] * values[b];
          }
        }
      }
      double[] found = Gramians.triangle(oneThread(), new Worker[] {worker}, matrix);
      assertArrayEquals(expected, found, 1e-3);

      double[] byHand = new double[expected.length];
      double[] run = new double[expected.length];
      for (int group = 0; group * Gramians.GROUP < ROWS; group++) {
        if (group == Gramians.RUN) {
          byHand = run;
          run = new double[expected.length];
        }
        int first = group * Gramians.GROUP;
        int count = Math.min(Gramians.GROUP, ROWS - first);
        Gramians.add(Gramians.of(worker).ofGroup(MatrixSlice.rows(matrix, first, count)), run);
      }
      for (int k = 0; k < byHand.length; k++) {
        assertEquals(byHand[k] + run[k], found[k], "the same order of additions");
      }
    }
  }
}
