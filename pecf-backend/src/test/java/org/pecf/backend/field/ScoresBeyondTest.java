package org.pecf.backend.field;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ScoresBeyondTest {
  private static final float BOUND = 0.5f;

  private static int[] found(float[] scores, int count, float bound) {
    int[] places = new int[count];
    int found = new ScoresBeyond(bound, scores.length).list(scores, count, places);
    return Arrays.copyOf(places, found);
  }

  private static int[] expected(float[] scores, int count, float bound) {
    return IntStream.range(0, count).filter(p -> Math.abs(scores[p]) > bound).toArray();
  }

  @Test
  void findsTheSameAsALookAtEachOne() {
    Random random = new Random(1);
    int all = 0;
    for (int count = 0; count < 300; count++) {
      for (double share : new double[] {0, 0.01, 0.3, 1}) {
        float[] scores = new float[300];
        for (int p = 0; p < scores.length; p++) {
          float size = random.nextDouble() < share ? 0.5f + random.nextFloat() : BOUND;
          scores[p] = random.nextBoolean() ? size : -size;
        }
        int[] expected = expected(scores, count, BOUND);
        all += expected.length;
        assertArrayEquals(expected, found(scores, count, BOUND), count + " scores");
      }
    }
    assertTrue(all > 10_000, "some are beyond the bound");
  }

  @Test
  void findsInfinityAndNothingThatIsNotANumber() {
    float[] scores = new float[37];
    scores[3] = Float.NaN;
    scores[4] = Float.POSITIVE_INFINITY;
    // Compared together with the first.
    scores[3 + 9] = -1;
    scores[36] = Float.NEGATIVE_INFINITY;
    assertArrayEquals(new int[] {4, 12, 36}, found(scores, 37, BOUND));
  }

  @Test
  void findsScoresWhoseSquaresAreTooSmallOrTooLargeForFloats() {
    float[] scores = {1e-30f, -3e-30f, 0, 2e-30f, 1e30f, -1e30f, 1e-38f, 3e38f, 0};
    for (float bound : new float[] {0, 1.5e-30f, 2e-30f, 1e25f, 1e30f}) {
      assertArrayEquals(expected(scores, 9, bound), found(scores, 9, bound), "beyond " + bound);
    }
  }

  @Test
  void findsTheNextFloatBeyondAnyBound() {
    Random random = new Random(2);
    for (int k = 0; k < 10_000; k++) {
      float bound = random.nextFloat() * (float) Math.pow(10, random.nextInt(20) - 10);
      float[] scores = {0, 0, 0, 0, bound, Math.nextUp(bound), -bound, -Math.nextUp(bound)};
      assertArrayEquals(new int[] {5, 7}, found(scores, 8, bound), "beyond " + bound);
    }
  }

  @Test
  void findsNothingBeyondInfinity() {
    assertArrayEquals(
        new int[0],
        found(new float[] {Float.POSITIVE_INFINITY, 1, -3, 5, 1e38f}, 5, Float.POSITIVE_INFINITY));
  }
}
