package org.pecf.plugin.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.field.CellField;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.memory.SparseProductModel;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.Seed;
import org.pecf.api.run.TrainingStep;
import org.pecf.testkit.fixture.DirectParallelism;
import org.pecf.testkit.fixture.RecordingListener;
import org.pecf.testkit.fixture.TestGrids;
import org.pecf.testkit.reference.ReferenceComputeSession;

/** Graph filters beside dense matrices. */
class GraphFilterTest {
  private static final GridShape SHAPE = new GridShape(17, 12);

  private final BufferAllocator allocator = new RootAllocator();
  private final RecordingListener listener = new RecordingListener();
  private final SparseCells positives = TestGrids.randomCells(allocator, SHAPE, 0.3, 6);

  @AfterEach
  void closeMemory() {
    positives.close();
    allocator.close();
  }

  private double measure(String name) {
    List<TrainingStep> steps = listener.events(TrainingStep.class);
    return steps.get(steps.size() - 1).measures().get(name);
  }

  private SparseProductModel train(GraphFilterProvider.Options options) {
    try (ReferenceComputeSession session = new ReferenceComputeSession(SHAPE, allocator)) {
      return (SparseProductModel)
          new GraphFilter(options)
              .train(
                  new TrainingTask(
                      SHAPE,
                      positives,
                      CellField.constant(1),
                      CellField.observed(positives, 1, 0),
                      Optional.empty()),
                  new TrainingContext(
                      new RunContext(allocator, new DirectParallelism(), () -> false, listener),
                      session,
                      new Seed(1)));
    }
  }

  /** Return {@code (N'N)^s} by its definition. */
  private double[][] graph(double e, double s) {
    int items = SHAPE.items();
    double[][] normalised = new double[SHAPE.users()][items];
    for (int user = 0; user < SHAPE.users(); user++) {
      for (int item = 0; item < items; item++) {
        if (positives.contains(user, item)) {
          normalised[user][item] =
              Math.pow(positives.userCount(user), -e) * Math.pow(positives.itemCount(item), e - 1);
        }
      }
    }
    double[][] graph = new double[items][items];
    for (int one = 0; one < items; one++) {
      for (int other = 0; other < items; other++) {
        for (double[] user : normalised) {
          graph[one][other] += user[one] * user[other];
        }
        graph[one][other] = Math.pow(graph[one][other], s);
      }
    }
    return graph;
  }

  private void check(GraphFilterProvider.Options options, double[][] expected) {
    try (SparseProductModel model = train(options)) {
      double slope = measure("slope");
      for (int one = 0; one < SHAPE.items(); one++) {
        for (int other = 0; other < SHAPE.items(); other++) {
          assertEquals(
              one == other ? 0 : expected[one][other],
              model.right().get(one, other) / slope,
              1e-5,
              one + " to " + other);
        }
      }
      for (int user = 0; user < SHAPE.users(); user++) {
        double sum = measure("intercept");
        for (int item = 1; item < SHAPE.items(); item++) {
          sum += positives.contains(user, item) ? slope * expected[item][0] : 0;
        }
        assertEquals(sum, model.scoreAt(user, 0), 1e-5);
      }
    }
  }

  @Test
  void theFirstOrderIsTheGraph() {
    check(new GraphFilterProvider.Options(0.6, 0.7, 1, 12), graph(0.6, 0.7));
    assertEquals(0, measure("dropped"), 1e-12);
    check(new GraphFilterProvider.Options(0, 1, 1, 12), graph(0, 1));
    check(new GraphFilterProvider.Options(1, 0.5, 1, 12), graph(1, 0.5));
  }

  @Test
  void theSecondOrderIsTwiceTheGraphLessItsSquare() {
    double[][] p = graph(0.6, 0.7);
    double largest = largestEigenvalue(p);
    double[][] expected = new double[p.length][p.length];
    for (int one = 0; one < p.length; one++) {
      for (int other = 0; other < p.length; other++) {
        expected[one][other] = 2 * p[one][other];
        for (int k = 0; k < p.length; k++) {
          expected[one][other] -= p[one][k] * p[k][other] / largest;
        }
      }
    }
    check(new GraphFilterProvider.Options(0.6, 0.7, 2, 12), expected);
  }

  private static double largestEigenvalue(double[][] matrix) {
    double[] vector = new double[matrix.length];
    Arrays.fill(vector, 1);
    double length = 0;
    for (int iteration = 0; iteration < 1000; iteration++) {
      double[] next = new double[vector.length];
      for (int row = 0; row < next.length; row++) {
        for (int k = 0; k < next.length; k++) {
          next[row] += matrix[row][k] * vector[k];
        }
      }
      length = Math.sqrt(Arrays.stream(next).map(value -> value * value).sum());
      for (int row = 0; row < next.length; row++) {
        vector[row] = next[row] / length;
      }
    }
    return length;
  }

  @Test
  void statesWhatTruncationDrops() {
    double[][] p = graph(0.6, 0.7);
    double all = 0;
    double kept = 0;
    for (int item = 0; item < p.length; item++) {
      p[item][item] = 0;
      double[] row = p[item].clone();
      Arrays.sort(row);
      all += Arrays.stream(row).sum();
      kept += Arrays.stream(row, row.length - 3, row.length).sum();
      double least = row[row.length - 3];
      DoubleUnaryOperator truncated = value -> value < least ? 0 : value;
      p[item] = Arrays.stream(p[item]).map(truncated).toArray();
    }
    check(new GraphFilterProvider.Options(0.6, 0.7, 1, 3), p);
    assertEquals(1 - kept / all, measure("dropped"), 1e-6);
    assertTrue(measure("dropped") > 0.1);
  }
}
