package org.pecf.engine.effort;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.pecf.api.filter.SettingsSpace;
import org.pecf.api.filter.SettingsSpace.Axis;

class EntrantTest {
  private static Entrant entrant(Map<String, String> given) {
    SettingsSpace space =
        SettingsSpace.ofOptions(
            List.of(new Axis("rank", 16, 2, 4, 64), new Axis("lambda", 1, 10, 0.1, 100)),
            List.of("rank"),
            point -> point[0]);
    return new Entrant("planted", space, given, Map.of(), Optional.empty());
  }

  /** Search as a race does, by a score that is known. */
  private static void search(Entrant entrant, double rank, double lambda, int steps) {
    double[] point = entrant.start();
    for (int step = 0; step < steps; step++) {
      double off = Math.log(point[0] / rank);
      double offLambda = Math.log(point[1] / lambda);
      entrant.measured(point, -off * off - offLambda * offLambda, 1);
      if (entrant.next().isEmpty()) {
        return;
      }
      point = entrant.next().get();
    }
  }

  @Test
  void theBestPointIsFoundAndSurrounded() {
    Entrant entrant = entrant(Map.of());
    search(entrant, 32, 10, 9);
    assertArrayEquals(new double[] {32, 10}, entrant.point(0).orElseThrow(), 1e-9);
    assertEquals(Map.of("rank", "32", "lambda", "10"), entrant.settings(new double[] {32, 10}));
    assertEquals(List.of(), entrant.open());
  }

  @Test
  void shorterStepsFollowOnceTheBestIsSurrounded() {
    Entrant entrant = entrant(Map.of());
    search(entrant, 16, 3.2, 100);
    double[] best = entrant.point(0).orElseThrow();
    assertEquals(3.2, best[1], 0.8);
    assertEquals(16, best[0], 3);
    assertTrue(entrant.next().isEmpty());
  }

  @Test
  void stepsEndAtTheBoundsAndOpenOptionsAreNamed() {
    Entrant entrant = entrant(Map.of());
    search(entrant, 1000, 1, 100);
    assertEquals(64, entrant.point(0).orElseThrow()[0]);
    Entrant begun = entrant(Map.of());
    search(begun, 1000, 1, 2);
    assertEquals(List.of("rank", "lambda"), begun.open());
  }

  @Test
  void optionsThatWereGivenAreNotVaried() {
    Entrant entrant = entrant(Map.of("lambda", "7"));
    search(entrant, 16, 1, 100);
    assertEquals(Map.of("rank", "16"), entrant.settings(entrant.point(0).orElseThrow()));
    assertTrue(entrant.tried() <= 12, "tried " + entrant.tried());
  }

  @Test
  void whatCannotBeTrainedIsNeverTheBest() {
    Entrant entrant = entrant(Map.of());
    entrant.measured(entrant.start(), Double.NaN, 1);
    assertTrue(entrant.next().isEmpty());
    entrant.measured(new double[] {8, 1}, -3, 1);
    assertArrayEquals(new double[] {8, 1}, entrant.point(0).orElseThrow());
    assertArrayEquals(new double[] {8, 1}, entrant.cheaper(new double[] {16, 1}).orElseThrow());
  }
}
