package org.pecf.backend.leastsquares;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.pecf.backend.algebra.Ejml;
import org.pecf.backend.algebra.FloatSlice;
import org.pecf.backend.algebra.MatrixSlice;
import org.pecf.backend.algebra.OffHeapFloats;
import org.pecf.backend.algebra.Worker;

/** Both ways to solve a row in whitened coordinates. */
class WhitenedSolversTest {
  private static final int PLENTY = 1000;

  private final BufferAllocator root = new RootAllocator();
  private final Worker worker = new Worker(root, new Ejml().caller());

  @AfterEach
  void close() {
    worker.close();
    root.close();
  }

  /**
   * The parts of a row: its diagonal, all q_j, their excess and pulls, and h without its
   * exceptions.
   */
  private record Problem(
      Diagonal diagonal,
      int above,
      boolean uniform,
      float[] rows,
      float[] excess,
      float[] pulls,
      float[] background) {
    /** Return a problem as if its penalty were twenty times the mean, on other eigenvalues. */
    Problem penalised() {
      float[] eigenvalues = new float[order()];
      float[] scales = new float[order()];
      for (int k = 0; k < order(); k++) {
        eigenvalues[k] = k;
        scales[k] = 1 / (k + 0.5f);
      }
      Diagonal own = Diagonal.allocate(order());
      own.set(eigenvalues, scales, 10);
      return new Problem(own, above, uniform, rows, excess, pulls, background);
    }

    static Problem random(int exceptions, int above, int order, boolean uniform) {
      SplittableRandom random = new SplittableRandom(exceptions);
      double deviation = 3 / Math.sqrt(exceptions + order);
      float[] excess = new float[exceptions];
      float[] pulls = new float[exceptions];
      for (int j = 0; j < exceptions; j++) {
        double size = uniform ? 1 : 0.5 + random.nextDouble();
        excess[j] = (float) (j < above ? size : -0.01 * size);
        pulls[j] = random.nextInt(3);
      }
      float[] rows = new float[exceptions * order];
      for (int k = 0; k < rows.length; k++) {
        rows[k] = (float) (deviation * random.nextGaussian());
      }
      float[] background = new float[order];
      for (int k = 0; k < order; k++) {
        background[k] = (float) random.nextGaussian();
      }
      return new Problem(Diagonal.identity(order), above, uniform, rows, excess, pulls, background);
    }

    int order() {
      return background.length;
    }

    /** Return h in double precision. */
    double[] right() {
      double[] right = new double[order()];
      for (int k = 0; k < order(); k++) {
        right[k] = background[k];
        for (int j = 0; j < excess.length; j++) {
          right[k] += (double) pulls[j] * rows[j * order() + k];
        }
      }
      return right;
    }

    /** Return {@code h - (G + Q' D Q) z} in double precision. */
    double[] residual(float[] z) {
      double[] residual = right();
      for (int k = 0; k < order(); k++) {
        residual[k] -= (double) diagonal.elements()[k] * z[k];
      }
      for (int j = 0; j < excess.length; j++) {
        double score = 0;
        for (int k = 0; k < order(); k++) {
          score += (double) rows[j * order() + k] * z[k];
        }
        for (int k = 0; k < order(); k++) {
          residual[k] -= excess[j] * score * rows[j * order() + k];
        }
      }
      return residual;
    }
  }

  private interface Solver {
    double solve(WhitenedRow row, FloatSlice vector);
  }

  private record Solution(double product, float[] vector) {}

  private Solution solve(Problem problem, Solver solver) {
    try (OffHeapFloats rows = offHeap(problem.rows());
        OffHeapFloats pulls = offHeap(problem.pulls());
        OffHeapFloats vector = offHeap(problem.background())) {
      double product =
          solver.solve(
              new WhitenedRow(
                  problem.diagonal(),
                  problem.excess().length,
                  problem.above(),
                  problem.uniform(),
                  problem.excess(),
                  MatrixSlice.of(
                      rows.slice(0, problem.rows().length),
                      problem.excess().length,
                      problem.order()),
                  pulls.slice(0, problem.pulls().length),
                  1),
              vector.slice(0, problem.order()));
      float[] solution = new float[problem.order()];
      vector.read(0, solution, 0, solution.length);
      return new Solution(product, solution);
    }
  }

  private OffHeapFloats offHeap(float[] values) {
    OffHeapFloats floats = OffHeapFloats.allocate(root, values.length);
    floats.write(0, values, 0, values.length);
    return floats;
  }

  private static double length(double[] vector) {
    return Math.sqrt(Arrays.stream(vector).map(x -> x * x).sum());
  }

  private static void assertSolved(Problem problem, Solution solution) {
    double[] right = problem.right();
    double[] residual = problem.residual(solution.vector());
    assertEquals(0, length(residual), 1e-5 * length(right));
    double explained = 0;
    for (int k = 0; k < problem.order(); k++) {
      explained += (right[k] + residual[k]) * solution.vector()[k];
    }
    assertEquals(explained, solution.product(), 1e-5 * explained);
  }

  /** The longest rows are passed over in pieces, of which one has exceptions of both kinds. */
  @ParameterizedTest
  @CsvSource({"1, 1, 5", "20, 20, 32", "20, 0, 32", "90, 60, 33", "200, 200, 12", "3000, 2500, 32"})
  void conjugateGradientsEndWithoutResidual(int exceptions, int above, int order) {
    ConjugateGradients gradients = new ConjugateGradients(worker, order);
    for (boolean uniform : new boolean[] {true, false}) {
      Problem plain = Problem.random(exceptions, above, order, uniform);
      for (Problem problem : List.of(plain, plain.penalised())) {
        assertSolved(
            problem, solve(problem, (row, vector) -> gradients.solve(row, PLENTY, vector)));
        assertTrue(gradients.steps() > 0 && gradients.steps() < 40, () -> gradients.steps() + "");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 0, 5", "1, 1, 5", "20, 20, 32", "20, 0, 32", "30, 20, 33"})
  void fewExceptionsLeaveNoResidual(int exceptions, int above, int order) {
    for (boolean uniform : new boolean[] {true, false}) {
      Problem problem = Problem.random(exceptions, above, order, uniform);
      assertSolved(
          problem,
          solve(problem, (row, vector) -> FewExceptionsSolver.of(worker).solve(row, vector)));
    }
  }

  @Test
  void conjugateGradientsTakeOneStepWithoutExceptions() {
    Problem problem =
        new Problem(
            new Diagonal(false, new float[] {4, 0.5f}, new float[] {0.25f, 2}, new float[2]),
            0,
            true,
            new float[0],
            new float[0],
            new float[0],
            new float[] {8, -3});
    ConjugateGradients gradients = new ConjugateGradients(worker, 2);
    Solution solution = solve(problem, (row, vector) -> gradients.solve(row, 1, vector));
    assertArrayEquals(new float[] {2, -6}, solution.vector(), 1e-6f);
    assertEquals(34, solution.product(), 1e-5);
  }

  @Test
  void conjugateGradientsTakeOneStepWhereTheMatrixIsAMultipleOfTheIdentity() {
    float[] rows = {2, 0, 0, 2};
    Problem problem =
        new Problem(
            Diagonal.identity(2),
            2,
            true,
            rows,
            new float[] {3, 3},
            new float[] {1, 0},
            new float[] {11, -26});
    ConjugateGradients gradients = new ConjugateGradients(worker, 2);
    Solution solution = solve(problem, (row, vector) -> gradients.solve(row, 1, vector));
    // (1 + 3 * 2 * 2) z = (11 + 2, -26)
    assertArrayEquals(new float[] {1, -2}, solution.vector(), 1e-6f);
    assertEquals(65, solution.product(), 1e-4);
    assertEquals(1, gradients.steps());
  }

  @Test
  void conjugateGradientsTakeNoStepTowardsNothing() {
    Problem problem =
        new Problem(
            Diagonal.identity(2),
            1,
            true,
            new float[] {1, 2},
            new float[] {3},
            new float[1],
            new float[2]);
    ConjugateGradients gradients = new ConjugateGradients(worker, 2);
    Solution solution = solve(problem, (row, vector) -> gradients.solve(row, 0, vector));
    assertArrayEquals(new float[2], solution.vector());
    assertEquals(0, solution.product());
  }

  @Test
  void conjugateGradientsGiveUpAfterTheStepsAllowed() {
    Problem problem = Problem.random(90, 60, 33, false);
    ConjugateGradients gradients = new ConjugateGradients(worker, 33);
    Solution solution = solve(problem, (row, vector) -> gradients.solve(row, 3, vector));
    assertEquals(Double.NaN, solution.product());
    assertEquals(3, gradients.steps());
  }

  @Test
  void bothGiveUpWhereTheMatrixIsNotPositiveDefinite() {
    Problem problem =
        new Problem(
            Diagonal.identity(2),
            0,
            true,
            new float[] {1, 2},
            new float[] {-0.5f},
            new float[1],
            new float[] {1, 1});
    ConjugateGradients gradients = new ConjugateGradients(worker, 2);
    assertEquals(
        Double.NaN, solve(problem, (row, vector) -> gradients.solve(row, 9, vector)).product());
    assertEquals(
        Double.NaN,
        solve(problem, (row, vector) -> FewExceptionsSolver.of(worker).solve(row, vector))
            .product());
  }
}
