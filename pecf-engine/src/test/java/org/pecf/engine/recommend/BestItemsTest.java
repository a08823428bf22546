package org.pecf.engine.recommend;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BestItemsTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 31, 32, 33, 100, 999, 1000})
  void theBestAreKeptInOrderAndTiesGoToTheFirst(int depth) {
    Random random = new Random(depth);
    float[] scores = new float[1000];
    for (int item = 0; item < scores.length; item++) {
      scores[item] = item % 7 == 0 ? Float.NaN : random.nextInt(41) - 20;
    }
    BestItems best = new BestItems(depth);
    for (int item = 0; item < scores.length; item++) {
      best.offer(item, scores[item]);
    }
    List<Integer> expected =
        IntStream.range(0, scores.length)
            .boxed()
            .filter(item -> !Float.isNaN(scores[item]))
            .sorted(Comparator.comparing(item -> -scores[item]))
            .limit(depth)
            .toList();
    Ranker.Ranked ranked = best.ranked(5);
    assertEquals(5, ranked.user());
    assertArrayEquals(expected.stream().mapToInt(Integer::intValue).toArray(), ranked.items());
    for (int place = 0; place < expected.size(); place++) {
      assertEquals(scores[expected.get(place)], ranked.scores()[place]);
    }
  }

  @Test
  void infiniteScoresAreRankedAndNegativeZeroEqualsZero() {
    BestItems best = new BestItems(4);
    float[] scores = {-0f, Float.NEGATIVE_INFINITY, 0f, Float.POSITIVE_INFINITY, Float.NaN};
    for (int item = 0; item < scores.length; item++) {
      best.offer(item, scores[item]);
    }
    assertArrayEquals(new int[] {3, 0, 2, 1}, best.ranked(0).items());
  }
}
