package org.pecf.plugin.backend.cpu.field;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.pecf.api.field.CellFunction;
import org.pecf.api.field.Mixture;
import org.pecf.api.field.MixtureLogDensity;
import org.pecf.api.field.Responsibility;

class MixtureNodesTest {
  private static final int CELLS = 300;

  private final List<FieldNode> common = new ArrayList<>();
  private final AtomicInteger evaluations = new AtomicInteger();

  private FieldNode share(FieldNode node) {
    common.add(node);
    return new FieldNode.Common(common.size() - 1);
  }

  /** Return random errors of up to some size, a row for each component. */
  private static float[][] errors(int components, float size) {
    Random random = new Random(components);
    float[][] errors = new float[components][CELLS];
    for (float[] row : errors) {
      for (int p = 0; p < CELLS; p++) {
        row[p] = size * (2 * random.nextFloat() - 1);
      }
    }
    return errors;
  }

  private MixtureNodes nodes(Mixture mixture, float[][] errors) {
    List<FieldNode> given = new ArrayList<>();
    for (float[] row : errors) {
      given.add(
          (run, values) -> {
            evaluations.incrementAndGet();
            System.arraycopy(row, 0, values, 0, run.count());
          });
    }
    return new MixtureNodes(mixture, given, this::share);
  }

  private CellRun run() {
    CellRun run = new CellRun(null, 0, common, List.of());
    run.moveTo(0, 0, CELLS);
    return run;
  }

  private static float[] values(FieldNode node, CellRun run) {
    float[] values = new float[CELLS];
    node.evaluate(run, values);
    return values;
  }

  /**
   * Compare with a function.
   *
   * @param tolerance relative to the value, or to the least size that counts
   */
  private static void requireEqual(
      CellFunction expected, float[][] errors, float[] values, double tolerance, double least) {
    for (int p = 0; p < CELLS; p++) {
      float[] cell = new float[errors.length];
      for (int k = 0; k < cell.length; k++) {
        cell[k] = errors[k][p];
      }
      float exact = expected.value(cell);
      assertEquals(exact, values[p], tolerance * Math.max(least, Math.abs(exact)), "cell " + p);
    }
  }

  @Test
  void agreesWithTheDefinition() {
    Mixture even = new Mixture(List.of(0.2, 0.5, 0.3), 1);
    Mixture oneWithoutShare = new Mixture(List.of(0.0, 0.9, 0.1), 1);
    for (Mixture shape : List.of(even, oneWithoutShare)) {
      for (double deviation : new double[] {0.05, 0.3, 1, 20}) {
        Mixture mixture = new Mixture(shape.priors(), deviation);
        float[][] errors = errors(3, 2);
        common.clear();
        MixtureNodes nodes = nodes(mixture, errors);
        CellRun run = run();
        // Squares of up to 4 are rounded to about 4e-7, which a small deviation magnifies.
        double tolerance = 2e-5 + 4e-7 / (2 * deviation * deviation);
        for (int k = 0; k < 3; k++) {
          float[] values = values(nodes.responsibility(k), run);
          requireEqual(new Responsibility(k, mixture), errors, values, tolerance, 1e-3);
        }
        float[] values = values(nodes.logDensity(), run);
        requireEqual(new MixtureLogDensity(mixture), errors, values, tolerance, 1);
      }
    }
  }

  @Test
  void evaluatesExponentialsOnce() {
    Mixture mixture = new Mixture(List.of(0.5, 0.5), 0.4);
    MixtureNodes nodes = nodes(mixture, errors(2, 1));
    CellRun run = run();
    values(nodes.responsibility(0), run);
    int once = evaluations.get();
    values(nodes.responsibility(1), run);
    values(nodes.logDensity(), run);
    assertEquals(once, evaluations.get());
  }
}
