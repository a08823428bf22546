package org.pecf.backend.algebra;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The eigenvectors of symmetric matrices, by both libraries. */
class EigenvectorsTest {
  static Stream<LinearAlgebra> libraries() {
    try {
      return Stream.of(new Ejml(), OpenBlas.load());
    } catch (LinkageError e) {
      // This machine has the portable library only.
      return Stream.of(new Ejml());
    }
  }

  private record Eigen(float[] values, float[] vectors) {}

  /** Diagonalise a matrix of which the lower triangle holds other values. */
  private static Eigen diagonalise(LinearAlgebra library, int order, float[] matrix) {
    try (RootAllocator root = new RootAllocator();
        OffHeapFloats floats = OffHeapFloats.allocate(root, matrix.length)) {
      float[] upper = matrix.clone();
      for (int row = 0; row < order; row++) {
        for (int column = 0; column < row; column++) {
          upper[row * order + column] = 77;
        }
      }
      floats.write(0, upper, 0, upper.length);
      float[] values = new float[order];
      assertTrue(library.caller().diagonalise(floats.slice(0, matrix.length), values));
      float[] vectors = new float[matrix.length];
      floats.read(0, vectors, 0, vectors.length);
      return new Eigen(values, vectors);
    }
  }

  private static double product(float[] vectors, int left, int right, int order) {
    double sum = 0;
    for (int k = 0; k < order; k++) {
      sum += (double) vectors[left * order + k] * vectors[right * order + k];
    }
    return sum;
  }

  @ParameterizedTest
  @MethodSource("libraries")
  void restoreAGramianAndAreOrthogonal(LinearAlgebra library) {
    int order = 70;
    SplittableRandom random = new SplittableRandom(1);
    double[] factors = new double[order * 3 * order];
    for (int k = 0; k < factors.length; k++) {
      factors[k] = random.nextGaussian() / (1 + k % order);
    }
    float[] gramian = new float[order * order];
    for (int row = 0; row < order; row++) {
      for (int column = 0; column < order; column++) {
        double sum = 0;
        for (int k = 0; k < 3 * order; k++) {
          sum += factors[k * order + row] * factors[k * order + column];
        }
        gramian[row * order + column] = (float) sum;
      }
    }
    Eigen eigen = diagonalise(library, order, gramian);
    for (int row = 0; row < order; row++) {
      for (int column = 0; column < order; column++) {
        double restored = 0;
        for (int k = 0; k < order; k++) {
          restored +=
              (double) eigen.values[k]
                  * eigen.vectors[k * order + row]
                  * eigen.vectors[k * order + column];
        }
        assertEquals(gramian[row * order + column], restored, 1e-5 * gramian[0]);
        assertEquals(
            row == column ? 1 : 0, product(eigen.vectors, row, column, order), 1e-5, "products");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("libraries")
  void areThoseOfAMatrixByHand(LinearAlgebra library) {
    Eigen eigen = diagonalise(library, 2, new float[] {2, 1, 1, 2});
    int large = eigen.values[0] > eigen.values[1] ? 0 : 1;
    assertEquals(3, eigen.values[large], 1e-6);
    assertEquals(1, eigen.values[1 - large], 1e-6);
    float half = (float) Math.sqrt(0.5);
    float sign = Math.signum(eigen.vectors[2 * large]);
    assertArrayEquals(
        new float[] {sign * half, sign * half},
        new float[] {eigen.vectors[2 * large], eigen.vectors[2 * large + 1]},
        1e-6f);
  }

  @Test
  void areNotFoundWhereNumbersAreMissing() {
    libraries()
        .forEach(
            library -> {
              try (RootAllocator root = new RootAllocator();
                  OffHeapFloats floats = OffHeapFloats.allocate(root, 4)) {
                floats.write(0, new float[] {Float.NaN, 1, 1, 2}, 0, 4);
                float[] values = new float[2];
                boolean found = library.caller().diagonalise(floats.slice(0, 4), values);
                assertTrue(!found || Float.isNaN(values[0] + values[1]), library.name());
              }
            });
  }
}
