package org.pecf.api.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.run.Parallelism;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.RunListener;

/** Products of sparse matrices beside those of dense ones. */
class SparseProductTest {
  private static final SparseProduct.Measure PLAIN = (row, column, sum) -> (float) sum;

  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void closeMemory() {
    allocator.close();
  }

  /** Return a run whose tasks are done from the last to the first, by workers in turn. */
  private RunContext run(int threads) {
    Parallelism parallelism =
        new Parallelism() {
          @Override
          public int threads() {
            return threads;
          }

          @Override
          public void forEach(int count, Task task) {
            for (int index = count - 1; index >= 0; index--) {
              task.run(index, index % threads);
            }
          }
        };
    return new RunContext(allocator, parallelism, () -> false, RunListener.none());
  }

  private static float[][] random(int rows, int columns, double density, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[][] dense = new float[rows][columns];
    for (float[] row : dense) {
      for (int column = 0; column < columns; column++) {
        row[column] = random.nextDouble() < density ? (float) (random.nextDouble() - 0.4) : 0;
      }
    }
    return dense;
  }

  private SparseMatrix sparse(float[][] dense) {
    int width = dense[0].length;
    try (SparseMatrix.Builder builder =
        SparseMatrix.Builder.ofRows(allocator, dense.length, width, width)) {
      for (int row = 0; row < dense.length; row++) {
        float[] values = dense[row];
        int[] columns = IntStream.range(0, width).filter(column -> values[column] != 0).toArray();
        float[] present = new float[columns.length];
        for (int k = 0; k < columns.length; k++) {
          present[k] = values[columns[k]];
        }
        builder.setRow(row, columns.length, columns, present);
      }
      return builder.build();
    }
  }

  private static double[][] product(float[][] left, float[][] right) {
    double[][] product = new double[left.length][right[0].length];
    for (int row = 0; row < left.length; row++) {
      for (int inner = 0; inner < right.length; inner++) {
        for (int column = 0; column < right[0].length; column++) {
          product[row][column] += left[row][inner] * (double) right[inner][column];
        }
      }
    }
    return product;
  }

  private static float[] elements(SparseMatrix matrix) {
    float[] all = new float[matrix.rows() * matrix.columns()];
    for (int k = 0; k < all.length; k++) {
      all[k] = matrix.get(k / matrix.columns(), k % matrix.columns());
    }
    return all;
  }

  @Test
  void keepsTheStrongestElementsOfEachRow() {
    float[][] left = random(70, 20, 0.3, 1);
    float[][] right = random(20, 90, 0.3, 2);
    double[][] exact = product(left, right);
    try (SparseMatrix a = sparse(left);
        SparseMatrix b = sparse(right)) {
      for (int limit : new int[] {1, 5, 90, 1000}) {
        SparseProduct.Strongest strongest = new SparseProduct(a, b).strongest(limit, PLAIN, run(1));
        double all = 0;
        double kept = 0;
        try (SparseMatrix matrix = strongest.matrix()) {
          for (int row = 0; row < exact.length; row++) {
            double[] values = exact[row];
            int[] order =
                IntStream.range(0, 90)
                    .boxed()
                    .sorted(Comparator.comparingDouble(column -> -Math.abs(values[column])))
                    .mapToInt(Integer::intValue)
                    .toArray();
            float[] expected = new float[90];
            for (int place = 0; place < 90; place++) {
              all += Math.abs(values[order[place]]);
              if (place < limit) {
                expected[order[place]] = (float) values[order[place]];
                kept += Math.abs(values[order[place]]);
              }
            }
            for (int column = 0; column < 90; column++) {
              assertEquals(expected[column], matrix.get(row, column), 1e-6f, row + ", " + column);
            }
          }
        }
        assertEquals(1 - kept / all, strongest.dropped(), 1e-6, "limit " + limit);
      }
    }
  }

  @Test
  void hasTheSameBitsAtAnyNumberOfThreads() {
    try (SparseMatrix a = sparse(random(200, 30, 0.2, 3));
        SparseMatrix b = sparse(random(30, 110, 0.2, 4));
        SparseMatrix one = new SparseProduct(a, b).strongest(9, PLAIN, run(1)).matrix();
        SparseMatrix three = new SparseProduct(a, b).strongest(9, PLAIN, run(3)).matrix()) {
      assertArrayEquals(elements(one), elements(three));
    }
  }

  /** 1 - 1 + 1 - 1 + ... meets every column again and again. */
  @Test
  void addsUpElementsThatCancelOutOnTheWay() {
    int terms = 41;
    float[][] left = new float[1][terms];
    float[][] right = new float[terms][3];
    for (int k = 0; k < terms; k++) {
      left[0][k] = k % 2 == 0 ? 1 : -1;
      Arrays.fill(right[k], 0, 2, 1);
    }
    try (SparseMatrix a = sparse(left);
        SparseMatrix b = sparse(right);
        SparseMatrix sum = new SparseProduct(a, b).strongest(3, PLAIN, run(1)).matrix()) {
      assertArrayEquals(new float[] {1, 1, 0}, elements(sum));
      assertEquals(2, sum.count());
    }
  }

  @Test
  void leavesOutWhatMeasuresZeroAndTakesTheFirstOfEquals() {
    float[][] ones = new float[4][4];
    for (float[] row : ones) {
      Arrays.fill(row, 1);
    }
    try (SparseMatrix a = sparse(ones);
        SparseMatrix kept =
            new SparseProduct(a, a)
                .strongest(2, (row, column, sum) -> row == column ? 0 : (float) sum, run(1))
                .matrix()) {
      assertArrayEquals(
          new float[] {0, 4, 4, 0, 4, 0, 4, 0, 4, 4, 0, 0, 4, 4, 0, 0}, elements(kept));
    }
  }

  @Test
  void overlapsOfBothSidesAreWeighted() {
    boolean[][] likes = {{true, true, false}, {true, true, true}, {false, false, true}};
    int[] users = {0, 0, 1, 1, 1, 2};
    int[] items = {0, 1, 0, 1, 2, 2};
    double[] weights = {0.5, 2, 4};
    try (SparseCells cells = SparseCells.ofSorted(allocator, 3, 3, 6, users, items)) {
      for (Side side : Side.values()) {
        try (SparseMatrix overlaps =
            SparseProduct.ofOverlaps(
                cells,
                side,
                weights,
                allocator,
                product -> product.strongest(3, PLAIN, run(1)).matrix())) {
          for (int one = 0; one < 3; one++) {
            for (int other = 0; other < 3; other++) {
              double sum = 0;
              for (int v = 0; v < 3; v++) {
                boolean both =
                    side == Side.USERS
                        ? likes[one][v] && likes[other][v]
                        : likes[v][one] && likes[v][other];
                sum += both ? weights[v] : 0;
              }
              assertEquals(sum, overlaps.get(one, other), 1e-6);
            }
          }
        }
      }
    }
  }

  @Test
  void refusesMatricesThatHaveNoProduct() {
    try (SparseMatrix a = sparse(new float[2][3])) {
      assertTrue(
          assertThrows(IllegalArgumentException.class, () -> new SparseProduct(a, a))
              .getMessage()
              .contains("3 columns and 2 rows"));
    }
  }
}
