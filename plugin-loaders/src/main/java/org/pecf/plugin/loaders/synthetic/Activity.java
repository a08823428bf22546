package org.pecf.plugin.loaders.synthetic;

import java.util.Comparator;
import java.util.stream.IntStream;
import org.pecf.api.run.Seed;

/** The activity of users: numbers of positives by a power law, with an exact total. */
final class Activity {
  private static final double EXPONENT = 0.6;

  /** A flattening of the power law, so that the most active users do not have everything. */
  private static final double OFFSET = 3;

  private Activity() {}

  /** Return the number of positives of each user. */
  static int[] degrees(Dimensions dimensions, Seed seed) {
    int users = dimensions.users();
    int[] ranks = Permutation.draw(users, seed.random());
    double[] weights = new double[users];
    for (int user = 0; user < users; user++) {
      weights[user] = StrictMath.pow(ranks[user] + OFFSET, -EXPONENT);
    }
    int least = dimensions.positives() >= users ? 1 : 0;
    // At most half of the items, so that even active users have a taste, unless that is too few.
    int half = Math.max(1, dimensions.items() / 2);
    int most = dimensions.positives() <= (long) half * users / 2 ? half : dimensions.items();
    double scale = scale(weights, least, most, dimensions.positives());
    return round(weights, scale, least, most, dimensions.positives());
  }

  /** Find the factor by which the bounded weights add up to the total, by bisection. */
  private static double scale(double[] weights, int least, int most, long total) {
    double low = 0;
    double high = 1;
    while (sum(weights, high, least, most) < total && high < 1e300) {
      high *= 2;
    }
    for (int step = 0; step < 200; step++) {
      double middle = (low + high) / 2;
      if (sum(weights, middle, least, most) < total) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static double sum(double[] weights, double scale, int least, int most) {
    double sum = 0;
    for (double weight : weights) {
      sum += bounded(weight * scale, least, most);
    }
    return sum;
  }

  private static double bounded(double value, int least, int most) {
    return Math.max(least, Math.min(most, value));
  }

  /** Round down, and give the missing ones to the largest remainders. */
  private static int[] round(double[] weights, double scale, int least, int most, long total) {
    int[] degrees = new int[weights.length];
    double[] remainders = new double[weights.length];
    long left = total;
    for (int user = 0; user < weights.length; user++) {
      double exact = bounded(weights[user] * scale, least, most);
      degrees[user] = (int) exact;
      remainders[user] = exact - degrees[user];
      left -= degrees[user];
    }
    int[] order =
        IntStream.range(0, weights.length)
            .boxed()
            .sorted(
                Comparator.comparingDouble((Integer user) -> -remainders[user])
                    .thenComparing(Comparator.naturalOrder()))
            .mapToInt(Integer::intValue)
            .toArray();
    while (left != 0) {
      for (int user : order) {
        int change = Long.signum(left);
        int changed = degrees[user] + change;
        if (change != 0 && changed >= least && changed <= most) {
          degrees[user] = changed;
          left -= change;
        }
      }
    }
    return degrees;
  }
}
