package org.pecf.study;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.pecf.study.TuneSettings.Level;

class TuneLevelsTest {
  @Test
  void halvingGivesTheSurvivorsMoreWork() {
    assertEquals(
        List.of(new Level(27, 1), new Level(9, 3), new Level(3, 9), new Level(1, 27)),
        Level.halving(27, 27, 3));
    assertEquals(
        List.of(new Level(10, 1), new Level(3, 3), new Level(1, 9)), Level.halving(10, 9, 3));
    assertEquals(
        List.of(new Level(8, 2), new Level(4, 4), new Level(2, 8), new Level(1, 15)),
        Level.halving(8, 15, 2));
  }

  @Test
  void everyLevelHasASettingAndAUnitOfWork() {
    assertEquals(List.of(new Level(20, 1), new Level(6, 4)), Level.halving(20, 4, 3));
    assertEquals(List.of(new Level(20, 2)), Level.halving(20, 2, 3));
    assertEquals(List.of(new Level(2, 100)), Level.halving(2, 100, 3));
    assertEquals(List.of(new Level(1, 1)), Level.halving(1, 1, 2));
  }
}
