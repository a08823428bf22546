package org.pecf.study;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class RungTest {
  @Test
  void halvingGivesTheSurvivorsMoreWork() {
    assertEquals(
        List.of(new Rung(27, 1), new Rung(9, 3), new Rung(3, 9), new Rung(1, 27)),
        Rung.halving(27, 27, 3));
    assertEquals(List.of(new Rung(10, 1), new Rung(3, 3), new Rung(1, 9)), Rung.halving(10, 9, 3));
    assertEquals(
        List.of(new Rung(8, 2), new Rung(4, 4), new Rung(2, 8), new Rung(1, 15)),
        Rung.halving(8, 15, 2));
  }

  @Test
  void everyRungHasASettingAndAUnitOfWork() {
    assertEquals(List.of(new Rung(20, 1), new Rung(6, 4)), Rung.halving(20, 4, 3));
    assertEquals(List.of(new Rung(20, 2)), Rung.halving(20, 2, 3));
    assertEquals(List.of(new Rung(2, 100)), Rung.halving(2, 100, 3));
    assertEquals(List.of(new Rung(1, 1)), Rung.halving(1, 1, 2));
  }
}
