package org.pecf.plugin.wmf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Seed;

/** Co-clustering with a factorisation for each cluster, beside its formulas written out. */
class CoClusteredFactorsTest {
  private static final Seed SEED = new Seed(12);

  /** Two users, three items, clusters of three positives; the chances of a fourth by hand. */
  @Test
  void drawsAClusterByTheCountsOfUserAndItem() {
    int[] users = {0, 0, 1};
    int[] items = {0, 1, 2};
    CoClusters clusters = new CoClusters(new GridShape(2, 3), users, items, 2, 0.5, SEED);
    int[] first = new int[3];
    for (int cell = 0; cell < 3; cell++) {
      first[cell] = clusters.items()[0][items[cell]] > 0.5 ? 0 : 1;
    }
    double[] expected = new double[2];
    for (int k = 0; k < 2; k++) {
      double ofUser = (first[0] == k ? 1 : 0) + (first[1] == k ? 1 : 0);
      double ofItem = first[2] == k ? 1 : 0;
      double ofAll = ofUser + ofItem;
      expected[k] = (ofUser + 0.5) * (ofItem + 0.5) / (ofAll + 1.5);
    }
    double[] cumulated = clusters.cumulatedChances(0, 2);
    assertEquals(expected[0], cumulated[0], 1e-12);
    assertEquals(expected[0] + expected[1], cumulated[1], 1e-12);
  }

  @Test
  void findsPlantedGroups() {
    GridShape shape = new GridShape(60, 60);
    try (Planted planted = new Planted(shape, 3, 0.6, 0.01)) {
      SparseCells cells = planted.positives;
      int[] users = new int[cells.count()];
      int[] items = new int[cells.count()];
      for (int user = 0; user < 60; user++) {
        for (int k = cells.userStart(user); k < cells.userStart(user + 1); k++) {
          users[k] = user;
          items[k] = cells.itemAt(k);
        }
      }
      CoClusters clusters = new CoClusters(shape, users, items, 3, 0.1, SEED);
      clusters.sweep(50, SEED.child("sweeps"), () -> false);
      int together = 0;
      for (int cell = 0; cell < users.length; cell++) {
        together +=
            strongest(clusters.users(), users[cell]) == strongest(clusters.items(), items[cell])
                ? 1
                : 0;
      }
      assertTrue(together > 0.9 * users.length, together + " of " + users.length);
    }
  }

  private static int strongest(float[][] strengths, int row) {
    int best = 0;
    for (int k = 1; k < strengths.length; k++) {
      best = strengths[k][row] > strengths[best][row] ? k : best;
    }
    return best;
  }

  /** One cluster is one factorisation of everything. */
  @Test
  void isAFactorisationIfThereIsOneCluster() {
    GridShape shape = new GridShape(20, 15);
    CccfProvider.Options options = new CccfProvider.Options(1, 0.05, 0.1, 5, 3, 4, 1, 1, 0.1);
    try (Planted planted = new Planted(shape, 3, 0.7, 0.1);
        FactorModel model =
            planted.train(new CoClusteredFactors(options), planted.task.weights(), SEED);
        FactorModel whole =
            planted.train(
                new WeightedMatrixFactorisation(options.factorisation()),
                planted.task.weights(),
                SEED.child("part", 0))) {
      for (int user = 0; user < shape.users(); user++) {
        for (int item = 0; item < shape.items(); item++) {
          assertEquals(whole.scoreAt(user, item), model.scoreAt(user, item), 1e-5);
        }
      }
    }
  }

  /** A score is the sum over the clusters of user and item, by how much of the user is in them. */
  @Test
  void addsUpTheClustersOfUserAndItem() {
    GridShape shape = new GridShape(24, 18);
    double threshold = 0.2;
    CccfProvider.Options options = new CccfProvider.Options(3, threshold, 0.1, 6, 2, 4, 1, 1, 0.1);
    try (Planted planted = new Planted(shape, 3, 0.7, 0.15);
        FactorModel model =
            planted.train(new CoClusteredFactors(options), planted.task.weights(), SEED)) {
      SparseCells cells = planted.positives;
      int[] users = new int[cells.count()];
      int[] items = new int[cells.count()];
      for (int user = 0; user < shape.users(); user++) {
        for (int k = cells.userStart(user); k < cells.userStart(user + 1); k++) {
          users[k] = user;
          items[k] = cells.itemAt(k);
        }
      }
      CoClusters clusters = new CoClusters(shape, users, items, 3, 0.1, SEED.child("start"));
      clusters.sweep(6, SEED.child("sweeps"), () -> false);
      float[][] ofUsers = clusters.users();
      float[][] ofItems = clusters.items();
      float[][] sums = new float[shape.users()][shape.items()];
      int overlapping = 0;
      for (int k = 0; k < 3; k++) {
        float[] inUsers = new float[shape.users()];
        float[] inItems = new float[shape.items()];
        double cellsInside = 0;
        for (int user = 0; user < shape.users(); user++) {
          inUsers[user] = member(ofUsers, k, user, threshold) ? 1 : 0;
        }
        for (int item = 0; item < shape.items(); item++) {
          inItems[item] = member(ofItems, k, item, threshold) ? 1 : 0;
        }
        CellField inside = new LocalFactors.Locality(inUsers, inItems).field();
        for (int cell = 0; cell < shape.users() * shape.items(); cell++) {
          cellsInside += inside.valueAt(cell / shape.items(), cell % shape.items());
        }
        try (FactorModel one =
            planted.train(
                new WeightedMatrixFactorisation(
                    WmfProvider.Options.of(2, 4, cellsInside / shape.cells(), 1, 0.1)),
                CellField.product(planted.task.weights(), inside),
                SEED.child("part", k))) {
          for (int user = 0; user < shape.users(); user++) {
            float all = 0;
            for (int other = 0; other < 3; other++) {
              boolean in = member(ofUsers, other, user, threshold);
              all += in ? ofUsers[other][user] : 0;
              overlapping += in ? 1 : 0;
            }
            for (int item = 0; item < shape.items(); item++) {
              if (inside.valueAt(user, item) > 0) {
                sums[user][item] += ofUsers[k][user] / all * one.scoreAt(user, item);
              }
            }
          }
        }
      }
      assertTrue(overlapping / 3 > shape.users(), "no user is in two clusters");
      for (int user = 0; user < shape.users(); user++) {
        float[] row = new float[shape.items()];
        model.scoreRow(user, row);
        assertArrayEquals(sums[user], row, 1e-4f, "user " + user);
      }
    }
  }

  private static boolean member(float[][] strengths, int k, int row, double threshold) {
    return strengths[k][row] >= threshold || strongest(strengths, row) == k;
  }
}
