package org.pecf.distribution.protocol;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Locale;
import org.pecf.api.memory.SparseCells;
import org.pecf.engine.data.split.MeasuredPart;
import org.pecf.engine.evaluate.CandidatePolicy;

/**
 * The recall of a list that knows nothing of what is held out.
 *
 * <p>If each of a user's C candidates may be any of the H held-out positives with equal
 * probability, the hits among the M first are hypergeometric whatever the order: their mean is
 * {@code M H / C}, their variance {@code M (H / C) (1 - H / C) (C - M) / (C - 1)}. Recall is the
 * mean over users of hits / H, and users are independent of each other.
 *
 * @param mean its expectation
 * @param deviation its standard deviation
 */
record Chance(double mean, double deviation) {
  /** So many standard deviations are not exceeded in any of the cases of a test. */
  private static final double WIDTH = 5;

  /** Return the chance of a part whose positives are random among the candidates. */
  static Chance of(MeasuredPart part, CandidatePolicy candidates, int cutoff) {
    double mean = 0;
    double variance = 0;
    int users = 0;
    for (int user = 0; user < part.positives().users(); user++) {
      double heldOut = part.positives().userCount(user);
      if (heldOut > 0) {
        double count = candidates(part, candidates, user);
        double length = Math.min(cutoff, count);
        double share = heldOut / count;
        mean += length / count;
        variance +=
            length * share * (1 - share) * (count - length) / (count - 1) / (heldOut * heldOut);
        users++;
      }
    }
    return new Chance(mean / users, Math.sqrt(variance) / users);
  }

  private static int candidates(MeasuredPart part, CandidatePolicy candidates, int user) {
    int items = part.positives().items();
    return switch (candidates) {
      case ALL -> items;
      case ALL_BUT_TRAINING -> items - part.earlier().get(0).userCount(user);
      case ALL_BUT_KNOWN -> {
        for (SparseCells known : part.earlier()) {
          items -= known.userCount(user);
        }
        yield items;
      }
      case PART_CELLS -> {
        int count = 0;
        for (int item = 0; item < items; item++) {
          count += part.cells().orElseThrow().valueAt(user, item) > 0 ? 1 : 0;
        }
        yield count;
      }
    };
  }

  double low() {
    return mean - WIDTH * deviation;
  }

  double high() {
    return mean + WIDTH * deviation;
  }

  void assertHolds(double recall, String what) {
    assertTrue(
        recall >= low() && recall <= high(), () -> what + ": recall " + recall + ", not " + this);
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "chance (%.4f, from %.4f to %.4f)", mean, low(), high());
  }
}
