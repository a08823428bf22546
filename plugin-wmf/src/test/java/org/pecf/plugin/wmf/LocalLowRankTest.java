package org.pecf.plugin.wmf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Seed;

/** Local low-rank approximation beside its formulas, written out cell by cell. */
class LocalLowRankTest {
  private static final GridShape SHAPE = new GridShape(23, 17);
  private static final Seed SEED = new Seed(8);

  /** Rows at 0, 45, 90 and 180 degrees, and one without a direction; anchors at 0 and 90. */
  @Test
  void nearnessFallsWithTheAngle() {
    try (RootAllocator root = new RootAllocator();
        FloatMatrix factors = FloatMatrix.allocate(root, 5, 2)) {
      factors.writeRows(0, 5, new float[] {2, 0, 3, 3, 0, 1, -5, 0, 0, 0});
      int[] anchors = {0, 2};
      float[][] wide = Anchors.of(anchors, factors, Math.PI).nearness();
      assertArrayEquals(new float[] {1, 15 / 16f, .75f, 0, .75f}, wide[0], 1e-6f);
      assertArrayEquals(new float[] {.75f, 15 / 16f, 1, .75f, .75f}, wide[1], 1e-6f);
      float[][] narrow = Anchors.of(anchors, factors, 0.5).nearness();
      // Nobody reaches the second row, so the first of its nearest anchors takes it, and so on.
      assertArrayEquals(new float[] {1, 1, 0, 0, 1}, narrow[0]);
      assertArrayEquals(new float[] {0, 0, 1, 1, 0}, narrow[1]);
      float[][] shares = Anchors.of(anchors, factors, Math.PI).normalised().nearness();
      assertArrayEquals(new float[] {4 / 7f, .5f, 3 / 7f, 0, .5f}, shares[0], 1e-6f);
      assertArrayEquals(new float[] {3 / 7f, .5f, 4 / 7f, 1, .5f}, shares[1], 1e-6f);
    }
  }

  @Test
  void drawsEveryAnchorOnce() {
    int[] candidates = {4, 4, 4, 4, 4, 4, 9, 2};
    int[] drawn = Anchors.draw(candidates, 3, SEED);
    assertEquals(3, IntStream.of(drawn).distinct().count());
    assertEquals(1, Anchors.draw(new int[] {5, 5}, 3, SEED).length);
  }

  /** The score of a cell is the mean of the local models, weighed by how near the cell is. */
  @Test
  void averagesTheLocalModels() {
    for (double bandwidth : new double[] {0.7, 1.3, 50}) {
      LlormaProvider.Options options = new LlormaProvider.Options(3, bandwidth, 2, 4, 1.5, 1, 0.1);
      try (Planted planted = new Planted(SHAPE, 3, 0.7, 0.1);
          FactorModel model =
              planted.train(new LocalLowRank(options), planted.task.weights(), SEED)) {
        double[][] expected = slowly(planted, options);
        assertEquals(9 * 2, model.rank());
        for (int user = 0; user < SHAPE.users(); user++) {
          for (int item = 0; item < SHAPE.items(); item++) {
            assertEquals(expected[user][item], model.scoreAt(user, item), 1e-4);
          }
        }
      }
    }
  }

  private static double[][] slowly(Planted planted, LlormaProvider.Options options) {
    double[][] sums = new double[SHAPE.users()][SHAPE.items()];
    double[][] nearness = new double[SHAPE.users()][SHAPE.items()];
    SparseCells cells = planted.positives;
    try (FactorModel whole =
        planted.train(
            new WeightedMatrixFactorisation(options.factorisation()),
            planted.task.weights(),
            SEED.child("whole"))) {
      int[] users =
          Anchors.draw(
              IntStream.range(0, cells.count()).map(cells::userAt).toArray(),
              options.anchors(),
              SEED.child("anchor-user"));
      int[] items =
          Anchors.draw(
              IntStream.range(0, cells.count()).map(cells::itemAt).toArray(),
              options.anchors(),
              SEED.child("anchor-item"));
      float[][] near = Anchors.of(users, whole.users(), options.bandwidth()).nearness();
      float[][] nearItems = Anchors.of(items, whole.items(), options.bandwidth()).nearness();
      for (int s = 0; s < users.length; s++) {
        for (int t = 0; t < items.length; t++) {
          LocalFactors.Locality locality = new LocalFactors.Locality(near[s], nearItems[t]);
          double mean = 0;
          for (int user = 0; user < SHAPE.users(); user++) {
            for (int item = 0; item < SHAPE.items(); item++) {
              mean += near[s][user] * nearItems[t][item] / (double) SHAPE.cells();
            }
          }
          try (FactorModel local =
              planted.train(
                  new WeightedMatrixFactorisation(
                      WmfProvider.Options.of(2, 4, options.lambda() * mean, 1, 0.1)),
                  CellField.product(planted.task.weights(), locality.field()),
                  SEED.child("part", s * items.length + t))) {
            for (int user = 0; user < SHAPE.users(); user++) {
              for (int item = 0; item < SHAPE.items(); item++) {
                double weight = near[s][user] * nearItems[t][item];
                sums[user][item] += weight * local.scoreAt(user, item);
                nearness[user][item] += weight;
              }
            }
          }
        }
      }
    }
    for (int user = 0; user < SHAPE.users(); user++) {
      for (int item = 0; item < SHAPE.items(); item++) {
        sums[user][item] /= nearness[user][item];
      }
    }
    return sums;
  }

  /**
   * The case that the method was made for: a matrix of higher rank as a whole than in its parts.
   */
  @Test
  void fitsAMatrixThatIsLowRankInItsParts() {
    try (Planted planted = new Planted(new GridShape(40, 40), 4, 0.95, 0.02)) {
      LlormaProvider.Options options = new LlormaProvider.Options(6, 0.8, 2, 8, 0.5, 1, 0.1);
      try (FactorModel local =
              planted.train(new LocalLowRank(options), planted.task.weights(), SEED);
          FactorModel whole =
              planted.train(
                  new WeightedMatrixFactorisation(options.factorisation()),
                  planted.task.weights(),
                  SEED)) {
        double ratio = planted.error(local) / planted.error(whole);
        assertTrue(ratio < 0.6, "the error beside that of one factorisation: " + ratio);
      }
    }
  }
}
