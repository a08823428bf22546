package org.pecf.study;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class SearchLevelTest {
  @Test
  void halvingGivesTheSurvivorsMoreWork() {
    assertEquals(
        List.of(
            new SearchLevel(27, 1),
            new SearchLevel(9, 3),
            new SearchLevel(3, 9),
            new SearchLevel(1, 27)),
        SearchLevel.halving(27, 27, 3));
    assertEquals(
        List.of(new SearchLevel(10, 1), new SearchLevel(3, 3), new SearchLevel(1, 9)),
        SearchLevel.halving(10, 9, 3));
    assertEquals(
        List.of(
            new SearchLevel(8, 2),
            new SearchLevel(4, 4),
            new SearchLevel(2, 8),
            new SearchLevel(1, 15)),
        SearchLevel.halving(8, 15, 2));
  }

  @Test
  void everyRungHasASettingAndAUnitOfWork() {
    assertEquals(
        List.of(new SearchLevel(20, 1), new SearchLevel(6, 4)), SearchLevel.halving(20, 4, 3));
    assertEquals(List.of(new SearchLevel(20, 2)), SearchLevel.halving(20, 2, 3));
    assertEquals(List.of(new SearchLevel(2, 100)), SearchLevel.halving(2, 100, 3));
    assertEquals(List.of(new SearchLevel(1, 1)), SearchLevel.halving(1, 1, 2));
  }
}
