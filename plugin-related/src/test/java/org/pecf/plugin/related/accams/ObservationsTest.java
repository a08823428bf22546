package org.pecf.plugin.related.accams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.pecf.api.memory.Side;
import org.pecf.testkit.fixture.DirectParallelism;

class ObservationsTest {
  @Test
  void holdsAllCellsWhereTheShareIsOne() {
    double[][] targets = {{1, 0, 0.5}, {0, -2, 0}};
    double[][] weights = {{1, 0.25, 1}, {0, 3, 0.5}};
    try (Training training = new Training(targets, weights);
        Observations observations = training.observations(1, 1)) {
      assertEquals(6, observations.start(Side.USERS, 2));
      assertEquals(5.75, observations.totalWeight(), 1e-6);
      for (Side side : Side.values()) {
        for (int row = 0; row < observations.count(side); row++) {
          for (int k = observations.start(side, row); k < observations.start(side, row + 1); k++) {
            int other = observations.other(side, k);
            int user = side == Side.USERS ? row : other;
            int item = side == Side.USERS ? other : row;
            int cell = observations.cell(side, k);
            assertEquals(weights[user][item], observations.weight(cell), 1e-6);
            assertEquals(targets[user][item], observations.residual(cell), 1e-6);
          }
        }
      }
      assertEquals(1 + 0.25 + 3 * 4, observations.squares(new DirectParallelism()), 1e-6);
    }
  }

  @Test
  void drawsTheShareOfTheMissingCellsAndWeighsThemUp() {
    double[][] targets = Training.random(300, 200, 2);
    for (double[] row : targets) {
      for (int item = 0; item < row.length; item++) {
        row[item] = row[item] < 0.1 ? 1 : 0;
      }
    }
    try (Training training = new Training(targets);
        Observations observations = training.observations(3, 0.05)) {
      int positives = 0;
      int others = 0;
      int[] byHalf = new int[2];
      for (int user = 0; user < 300; user++) {
        int before = -1;
        for (int k = observations.start(Side.USERS, user);
            k < observations.start(Side.USERS, user + 1);
            k++) {
          int item = observations.other(Side.USERS, k);
          assertTrue(item > before, "items ascend");
          before = item;
          if (targets[user][item] > 0) {
            assertEquals(1, observations.weight(k));
            positives++;
          } else {
            assertEquals(20, observations.weight(k), 1e-4);
            others++;
            byHalf[item / 100]++;
          }
        }
      }
      assertEquals(training.positives().count(), positives);
      // 54,000 missing cells: 2,700 drawn, with a standard deviation of 51.
      assertEquals(2700, others, 250);
      assertEquals(1350, byHalf[0], 180, "as many in the first half");
    }
  }

  @Test
  void anotherSeedDrawsOtherCells() {
    try (Training training = new Training(new double[40][50]);
        Observations first = training.observations(1, 0.2);
        Observations again = training.observations(1, 0.2);
        Observations other = training.observations(2, 0.2)) {
      int same = 0;
      int count = first.start(Side.USERS, 40);
      assertEquals(count, again.start(Side.USERS, 40));
      for (int k = 0; k < count; k++) {
        assertEquals(first.other(Side.USERS, k), again.other(Side.USERS, k));
        if (k < other.start(Side.USERS, 40)) {
          same += first.other(Side.USERS, k) == other.other(Side.USERS, k) ? 1 : 0;
        }
      }
      assertTrue(same < count / 2, same + " of " + count + " alike");
    }
  }

  @Test
  void addsAStencilToTheResiduals() {
    double[][] targets = {{1, 2}, {3, 4}};
    Stencil stencil =
        new Stencil(new int[] {0, 1}, new int[] {1, 0}, 2, 2, new double[] {1, 2, 3, 4});
    try (Training training = new Training(targets);
        Observations observations = training.observations(1, 1)) {
      observations.add(-1, stencil, new DirectParallelism());
      assertEquals(1 - 2, observations.residual(0), 1e-6);
      assertEquals(2 - 1, observations.residual(1), 1e-6);
      assertEquals(3 - 4, observations.residual(2), 1e-6);
      assertEquals(4 - 3, observations.residual(3), 1e-6);
      observations.add(1, stencil, new DirectParallelism());
      assertEquals(4, observations.residual(3), 1e-6);
    }
  }
}
