package org.pecf.distribution.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.pecf.api.data.Part;
import org.pecf.api.memory.SparseCells;
import org.pecf.engine.data.split.MeasuredPart;
import org.pecf.engine.evaluate.CandidatePolicy;

/** The mean and the deviation of chance are those of lists drawn at random. */
class ChanceIT {
  private static final int USERS = 20;
  private static final int ITEMS = 40;
  private static final int CUTOFF = 7;
  private static final int DRAWS = 4000;

  @Test
  void isWhatRandomListsGive() {
    Random random = new Random(1);
    try (RootAllocator allocator = new RootAllocator();
        SparseCells known = cells(allocator, (user, item) -> item < user % 5);
        SparseCells heldOut =
            cells(allocator, (user, item) -> item >= 30 && item < 31 + user % 4)) {
      MeasuredPart part =
          new MeasuredPart(Part.VALIDATION, heldOut, List.of(known), Optional.empty());
      Chance chance = Chance.of(part, CandidatePolicy.ALL_BUT_KNOWN, CUTOFF);
      double sum = 0;
      double squares = 0;
      for (int draw = 0; draw < DRAWS; draw++) {
        double recall = recall(part, random);
        sum += recall;
        squares += recall * recall;
      }
      double mean = sum / DRAWS;
      double deviation = Math.sqrt(squares / DRAWS - mean * mean);
      assertEquals(chance.mean(), mean, 5 * chance.deviation() / Math.sqrt(DRAWS));
      // The relative error of a deviation from n draws is about 1 / sqrt(2 n).
      assertEquals(1, deviation / chance.deviation(), 5 / Math.sqrt(2 * DRAWS));
    }
  }

  private static double recall(MeasuredPart part, Random random) {
    double sum = 0;
    for (int user = 0; user < USERS; user++) {
      List<Integer> items = new ArrayList<>(IntStream.range(0, ITEMS).boxed().toList());
      for (int item = 0; item < ITEMS; item++) {
        if (part.earlier().get(0).contains(user, item)) {
          items.remove((Integer) item);
        }
      }
      Collections.shuffle(items, random);
      int hits = 0;
      for (int item : items.subList(0, CUTOFF)) {
        hits += part.positives().contains(user, item) ? 1 : 0;
      }
      sum += hits / (double) part.positives().userCount(user);
    }
    return sum / USERS;
  }

  /** Chooses cells. */
  @FunctionalInterface
  private interface Choice {
    boolean takes(int user, int item);
  }

  private static SparseCells cells(RootAllocator allocator, Choice choice) {
    int[] users = new int[USERS * ITEMS];
    int[] items = new int[USERS * ITEMS];
    int count = 0;
    for (int user = 0; user < USERS; user++) {
      for (int item = 0; item < ITEMS; item++) {
        if (choice.takes(user, item)) {
          users[count] = user;
          items[count++] = item;
        }
      }
    }
    return SparseCells.ofSorted(allocator, USERS, ITEMS, count, users, items);
  }
}
