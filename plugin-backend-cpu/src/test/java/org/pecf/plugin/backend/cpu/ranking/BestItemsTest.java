package org.pecf.plugin.backend.cpu.ranking;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.pecf.api.compute.RankedItems;

class BestItemsTest {
  private static List<Integer> best(int depth, float[] scores, int run) {
    try (RootAllocator root = new RootAllocator();
        RankedItems ranked = RankedItems.allocate(root, 1, depth)) {
      LeadingItems best = new LeadingItems(depth, run);
      for (int first = 0; first < scores.length; first += run) {
        int count = Math.min(run, scores.length - first);
        float[] offered = new float[run];
        System.arraycopy(scores, first, offered, 0, count);
        best.offer(first, offered, count);
      }
      best.writeTo(ranked, 0, new int[depth], new float[depth]);
      List<Integer> items = new ArrayList<>();
      for (int place = 0; place < ranked.count(0); place++) {
        items.add(ranked.item(0, place));
        assertEquals(scores[ranked.item(0, place)], ranked.score(0, place), 1e-9f);
      }
      return items;
    }
  }

  @Test
  void keepsWhatSortingWouldPutFirst() {
    SplittableRandom random = new SplittableRandom(3);
    for (int trial = 0; trial < 100; trial++) {
      // Few different scores, so that there are many equal ones; some are left out.
      float[] scores = new float[1 + random.nextInt(300)];
      for (int item = 0; item < scores.length; item++) {
        scores[item] = random.nextInt(8) == 0 ? Float.NaN : (random.nextInt(21) - 10) / 4f;
      }
      int depth = 1 + random.nextInt(40);
      List<Integer> expected =
          IntStream.range(0, scores.length)
              .filter(item -> !Float.isNaN(scores[item]))
              .boxed()
              .sorted(
                  Comparator.comparingDouble((Integer item) -> -scores[item])
                      .thenComparing(Comparator.naturalOrder()))
              .limit(depth)
              .toList();
      assertEquals(expected, best(depth, scores, 1 + random.nextInt(64)));
    }
  }

  @Test
  void zerosOfEitherSignAreEqual() {
    assertEquals(List.of(0, 1), best(2, new float[] {-0f, 0f, -1f, 0f}, 2));
  }

  @Test
  void keepsInfiniteScores() {
    float infinite = Float.POSITIVE_INFINITY;
    assertEquals(List.of(2, 1, 0), best(3, new float[] {-infinite, 0f, infinite}, 1));
  }
}
