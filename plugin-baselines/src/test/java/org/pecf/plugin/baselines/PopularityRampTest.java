package org.pecf.plugin.baselines;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.filter.BaseFilter;

/** Ramps over popularity against values computed by hand. */
class PopularityRampTest {
  /** Items of 0, 1, 2 and 5 positives: 0, 0.5, 1 and 2.5 times the mean. */
  private static final double[][] RATINGS = {
    {0, 1, 1, 1}, {0, 0, 1, 1}, {0, 0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 1}
  };

  private final Training training = new Training();

  @AfterEach
  void closeMemory() {
    training.close();
  }

  private void assertScores(double from, double to, double... expected) {
    BaseFilter ramp =
        new PopularityRampProvider().create(new PopularityRampProvider.Options(from, to));
    for (double[] user : training.scores(ramp, RATINGS)) {
      assertArrayEquals(expected, user, 1e-6);
    }
  }

  @Test
  void theScoreRisesWithTheLogarithmBetweenTheBounds() {
    // 0.125, 0.625, 1.125 and 2.625 after an eighth is added; the bounds are 0.125 and 1.125.
    assertScores(0, 1, 0, Math.log(5) / Math.log(9), 1, 1);
  }

  @Test
  void itemsOutsideTheBoundsScoreAlike() {
    assertScores(1.5, 2, 0, 0, 0, 1);
    assertScores(3, 4, 0, 0, 0, 0);
  }

  /** Ramps that follow each other make up one from the first bound to the last. */
  @Test
  void rampsThatFollowEachOtherMakeUpALongOne() {
    double[] lower = scores(0, 0.875);
    double[] upper = scores(0.875, 3.125);
    double[] whole = scores(0, 3.125);
    double share = Math.log(8) / Math.log(26);
    for (int item = 0; item < whole.length; item++) {
      assertEquals(whole[item], share * lower[item] + (1 - share) * upper[item], 1e-6);
    }
  }

  private double[] scores(double from, double to) {
    return training
        .scores(
            new PopularityRampProvider().create(new PopularityRampProvider.Options(from, to)),
            RATINGS)[0];
  }

  @Test
  void aRampThatDoesNotRiseIsRefused() {
    PecfException refusal =
        assertThrows(
            PecfException.class,
            () -> new PopularityRampProvider().create(new PopularityRampProvider.Options(2, 2)));
    assertEquals(ErrorCode.BAD_OPTION, refusal.code());
    assertEquals(
        "A ramp over popularity cannot lead from 2.0 to 2.0. Let 'to' be above 'from'.",
        refusal.getMessage());
  }
}
