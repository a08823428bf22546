package org.pecf.study;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.pecf.api.data.Part;
import org.pecf.api.field.CellPartition;
import org.pecf.api.memory.SparseCells;
import org.pecf.data.split.MeasuredPart;
import org.pecf.data.split.Split;
import org.pecf.engine.evaluate.CandidatePolicy;

class ChanceTest {
  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void close() {
    allocator.close();
  }

  private SparseCells cells(int users, int items, int... userItems) {
    int count = userItems.length / 2;
    int[] cellUsers = new int[count];
    int[] cellItems = new int[count];
    for (int k = 0; k < count; k++) {
      cellUsers[k] = userItems[2 * k];
      cellItems[k] = userItems[2 * k + 1];
    }
    return SparseCells.ofSorted(allocator, users, items, count, cellUsers, cellItems);
  }

  /** Two of five sought in a list of two: 0, 1 or 2 hits in 3, 6 and 1 of 10 lists. */
  @Test
  void meanAndDeviationAreThoseOfAllLists() {
    try (SparseCells sought = cells(2, 5, 1, 0, 1, 3)) {
      Chance chance = Chance.of(sought, user -> 5, 2);
      double mean = (3 * 0 + 6 * 0.5 + 1 * 1) / 10;
      double square = (3 * 0 + 6 * 0.25 + 1 * 1) / 10;
      assertEquals(mean, chance.mean(), 1e-12);
      assertEquals(Math.sqrt(square - mean * mean), chance.deviation(), 1e-12);
      assertEquals(1.96 * chance.deviation(), chance.halfWidth(), 1e-12);
      assertEquals(2, chance.excess(chance.mean() + 2 * chance.deviation()), 1e-12);
    }
  }

  @Test
  void longListsHoldEverything() {
    try (SparseCells sought = cells(1, 5, 0, 2)) {
      assertEquals(new Chance(1, 0), Chance.of(sought, user -> 4, 9));
      assertEquals(new Chance(1, 0), Chance.of(sought, user -> 1, 1));
    }
  }

  @Test
  void independentDataIsAveraged() {
    Chance both = Chance.average(List.of(new Chance(0.2, 0.03), new Chance(0.4, 0.04)));
    assertEquals(0.3, both.mean(), 1e-12);
    assertEquals(0.025, both.deviation(), 1e-12);
  }

  /** Count candidates one by one as the policy's words say, and draw lists from them. */
  @ParameterizedTest
  @EnumSource(CandidatePolicy.class)
  void everyPolicyHasItsOwnCandidates(CandidatePolicy policy) {
    int items = 30;
    CellPartition partition = new CellPartition(7, 3, 1, 1);
    int sought = 0;
    while (partition.partOf(0, sought) != Part.TEST) {
      sought++;
    }
    try (SparseCells training = cells(1, items, 0, 28, 0, 29);
        SparseCells validation = cells(1, items, 0, 27);
        SparseCells test = cells(1, items, 0, sought)) {
      MeasuredPart part =
          new Split(training, validation, test, Optional.of(partition)).part(Part.TEST);
      int candidates = 0;
      int untrained = 0;
      for (int item = 0; item < items; item++) {
        candidates +=
            switch (policy) {
                  case ALL -> true;
                  case ALL_BUT_TRAINING -> item < 28;
                  case ALL_BUT_KNOWN -> item < 27;
                  case PART_CELLS -> partition.partOf(0, item) == Part.TEST;
                }
                ? 1
                : 0;
        untrained += partition.partOf(0, item) == Part.TRAINING ? 0 : 1;
      }
      assertEquals(2.0 / candidates, Chance.of(part, policy, 2).mean(), 1e-12);
      assertEquals(2.0 / untrained, Chance.amongUntrained(part, 2).mean(), 1e-12);
    }
  }

  @Test
  void intervalHoldsNinetyFiveOfAHundredDraws() {
    int users = 200;
    int[] cells = new int[users * 4];
    for (int user = 0; user < users; user++) {
      // Which items are sought does not matter, for lists are drawn.
      System.arraycopy(new int[] {user, 3, user, 8}, 0, cells, 4 * user, 4);
    }
    try (SparseCells sought = cells(users, 40, cells)) {
      Chance chance = Chance.of(sought, user -> 40, 10);
      SplittableRandom random = new SplittableRandom(3);
      int within = 0;
      for (int draw = 0; draw < 2_000; draw++) {
        double sum = 0;
        for (int user = 0; user < users; user++) {
          int first = random.nextInt(40) < 10 ? 1 : 0;
          int second = random.nextInt(39) < 10 - first ? 1 : 0;
          sum += (first + second) / 2.0;
        }
        within += Math.abs(sum / users - chance.mean()) <= chance.halfWidth() ? 1 : 0;
      }
      assertEquals(0.95, within / 2_000.0, 0.015);
    }
  }
}
