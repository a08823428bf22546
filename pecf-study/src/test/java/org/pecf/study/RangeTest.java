package org.pecf.study;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.pecf.api.PecfException;
import org.pecf.api.run.Seed;

class RangeTest {
  private static final int DRAWS = 20_000;

  private static double[] draws(String spec) {
    Range range = Range.parse(spec);
    SplittableRandom random = new SplittableRandom(7);
    return IntStream.range(0, DRAWS)
        .mapToDouble(i -> Double.parseDouble(range.draw(random)))
        .sorted()
        .toArray();
  }

  /** Compare the quarters of the draws with those of the distribution. */
  private static void assertQuarters(double[] sorted, double... expected) {
    for (int quarter = 1; quarter <= 3; quarter++) {
      double found = sorted[DRAWS * quarter / 4];
      assertEquals(expected[quarter - 1], found, 0.03 * Math.abs(expected[2] - expected[0]));
    }
  }

  @Test
  void uniformDrawsAreEvenAndWithinBounds() {
    double[] sorted = draws("-1..3");
    assertTrue(sorted[0] >= -1 && sorted[DRAWS - 1] <= 3);
    assertQuarters(sorted, 0, 1, 2);
  }

  @Test
  void logUniformDrawsAreEvenInTheLogarithm() {
    double[] sorted = draws("log:0.01..100");
    assertTrue(sorted[0] >= 0.01 && sorted[DRAWS - 1] <= 100);
    assertQuarters(Arrays.stream(sorted).map(Math::log10).toArray(), -1, 0, 1);
  }

  @Test
  void wholeNumbersIncludeBothBoundsEquallyOften() {
    Map<Double, Integer> counts = new TreeMap<>();
    for (double value : draws("int:3..7")) {
      counts.merge(value, 1, Integer::sum);
    }
    assertEquals(List.of(3.0, 4.0, 5.0, 6.0, 7.0), List.copyOf(counts.keySet()));
    // Five standard deviations of a binomial count.
    counts.values().forEach(count -> assertEquals(DRAWS / 5.0, count, 5 * Math.sqrt(DRAWS * 0.16)));
  }

  @Test
  void choicesAreDrawnEquallyOftenAndMayHoldColons() {
    Range range = Range.parse("{1:0.01, 1:0.03,unit}");
    SplittableRandom random = new SplittableRandom(3);
    Map<String, Integer> counts = new TreeMap<>();
    for (int i = 0; i < DRAWS; i++) {
      counts.merge(range.draw(random), 1, Integer::sum);
    }
    assertEquals(List.of("1:0.01", "1:0.03", "unit"), List.copyOf(counts.keySet()));
    counts
        .values()
        .forEach(count -> assertEquals(DRAWS / 3.0, count, 5 * Math.sqrt(DRAWS * 2 / 9.0)));
  }

  @Test
  void roundingDoesNotLeaveTheRange() {
    Range narrow = new Range.Uniform(0.123456, 0.123457);
    double value = Double.parseDouble(narrow.draw(new SplittableRandom(1)));
    assertTrue(value >= 0.123456 && value <= 0.123457, () -> "" + value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "3", "..", "a..b", "5..1", "log:0..1", "int:1.5..2", "{}", "{a,,b}", "{a,a}"})
  void whatIsNoRangeIsRefused(String spec) {
    assertThrows(PecfException.class, () -> Range.parse(spec));
  }

  @Test
  void drawsDependOnSeedTrialAndKeyOnly() {
    SearchSpace one = SearchSpace.parse("lambda=log:0.01..10");
    SearchSpace two = SearchSpace.parse("rank=int:1..99\n--lambda=log:0.01..10");
    Seed seed = new Seed(5);
    assertEquals(one.draw(seed, 4).get("lambda"), two.draw(seed, 4).get("lambda"));
    assertNotEquals(one.draw(seed, 4), one.draw(seed, 5));
    assertNotEquals(one.draw(seed, 4), one.draw(new Seed(6), 4));
  }

  @Test
  void mistakesOfSpacesAreExplained() {
    for (String text : List.of("", "rank", "=1..2")) {
      assertThrows(PecfException.class, () -> SearchSpace.parse(text), text);
    }
    assertEquals(
        "'rank=2..3' repeats a search: 'rank' is searched already. Leave one out.",
        assertThrows(PecfException.class, () -> SearchSpace.parse("rank=1..2\nrank=2..3"))
            .getMessage());
  }
}
