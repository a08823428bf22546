package org.pecf.engine.evaluate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.pecf.api.PecfException;

class UserSampleTest {
  private static BitSet users(int count) {
    BitSet users = new BitSet();
    users.set(0, count);
    return users;
  }

  @Test
  void theStandardErrorIsThatComputedByHand() {
    // The mean is 1/2 and s^2 = (1/4 + 1/4) / 3; 4 of 10 are drawn: 6/10 * 1/6 / 4 = 1/40.
    double[] values = {0, 1, 0.5, 0.5};
    assertEquals(Math.sqrt(1.0 / 40), UserSample.standardError(values, 10), 1e-15);
    assertEquals(0, UserSample.standardError(values, 4));
  }

  @Test
  void theStandardErrorIsTheDeviationOfMeansOverAllSamples() {
    double[] all = {0, 0.25, 0.25, 1, 0.75};
    double mean = 0.45;
    double ofMeans = 0;
    double ofErrors = 0;
    int samples = 0;
    for (int a = 0; a < 5; a++) {
      for (int b = a + 1; b < 5; b++) {
        for (int c = b + 1; c < 5; c++) {
          double[] drawn = {all[a], all[b], all[c]};
          ofMeans += Math.pow((drawn[0] + drawn[1] + drawn[2]) / 3 - mean, 2);
          ofErrors += Math.pow(UserSample.standardError(drawn, 5), 2);
          samples++;
        }
      }
    }
    assertEquals(10, samples);
    assertEquals(ofMeans / samples, ofErrors / samples, 1e-15);
  }

  @Test
  void aSampleContainsTheSmallerOnesOfItsSeedAndNoneOfOtherUsers() {
    BitSet even = new BitSet();
    for (int user = 0; user < 1000; user += 2) {
      even.set(user);
    }
    BitSet before = new BitSet();
    for (int most : new int[] {2, 3, 50, 499}) {
      BitSet drawn = new UserSample(most, 3).of(even);
      assertEquals(most, drawn.cardinality());
      BitSet shared = (BitSet) drawn.clone();
      shared.and(even);
      assertEquals(drawn, shared);
      shared.and(before);
      assertEquals(before, shared);
      before = drawn;
    }
    assertSame(even, new UserSample(500, 3).of(even));
    assertSame(even, UserSample.ALL.of(even));
  }

  @Test
  void seedsDrawEveryUserAboutAsOften() {
    int[] drawn = new int[40];
    for (int seed = 0; seed < 4000; seed++) {
      new UserSample(10, seed).of(users(40)).stream().forEach(user -> drawn[user]++);
    }
    for (int count : drawn) {
      // 1000 expected, with a standard deviation of 27.
      assertTrue(Math.abs(count - 1000) < 135, "drawn " + count + " times");
    }
  }

  @Test
  void textsAreReadAsTheyAreWritten() {
    for (String text : new String[] {"all", "2", "1000", "1000:7", "50:-3"}) {
      assertEquals(text, UserSample.parse(text).toString());
    }
    assertEquals(new UserSample(1000, 1), UserSample.parse(" 1000:1 "));
    assertEquals(UserSample.ALL, UserSample.parse("all"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "some", "-5", "0", "1", "1.5", "10:", ":3", "10:x", "99999999999"})
  void otherTextsAreRefused(String text) {
    assertThrows(PecfException.class, () -> UserSample.parse(text));
  }
}
