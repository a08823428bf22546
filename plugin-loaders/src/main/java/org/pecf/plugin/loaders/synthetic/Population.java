package org.pecf.plugin.loaders.synthetic;

import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.pecf.api.run.Parallelism;
import org.pecf.api.run.Seed;

/**
 * The users of a synthetic data set.
 *
 * @param degrees the number of positives of each user
 * @param samplers gives a sampler of the items of users, for one thread
 */
record Population(int[] degrees, Supplier<ItemSampler> samplers) {
  /** A sampler of the items of one user after the other, used by one thread. */
  interface ItemSampler {
    /**
     * Draw distinct items, which depend on the seed and the user only.
     *
     * @return an array that begins with the items and is valid until the next call
     */
    int[] items(int user, int wanted);
  }

  /** Return a population with taste groups, where few users and few items have most positives. */
  static Population ofTastes(Dimensions dimensions, Seed seed, Parallelism parallelism) {
    int[] degrees = Activity.degrees(dimensions, seed.child("activity"));
    TasteGroups groups = new TasteGroups(dimensions, seed.child("groups"), parallelism);
    Coverage coverage = new Coverage(dimensions, degrees, groups, seed.child("coverage"));
    return new Population(degrees, () -> new TasteSampler(groups, coverage));
  }

  /**
   * Return a population without any taste: users have equally many positives, give or take one, and
   * every set of items of that size is equally likely. Held-out positives cannot be predicted
   * better than by chance.
   */
  static Population ofNoise(Dimensions dimensions, Seed seed) {
    int[] degrees = new int[dimensions.users()];
    int least = (int) (dimensions.positives() / dimensions.users());
    int more = (int) (dimensions.positives() % dimensions.users());
    Arrays.fill(degrees, least);
    Arrays.fill(degrees, 0, more, least + 1);
    return new Population(degrees, () -> evenSampler(dimensions.items(), seed));
  }

  private static ItemSampler evenSampler(int items, Seed seed) {
    boolean[] taken = new boolean[items];
    int[] chosen = new int[items];
    return (user, wanted) -> {
      SplittableRandom random = seed.child("user", user).random();
      // Floyd's algorithm for a random set: the last of a growing range replaces a taken one.
      for (int count = 0; count < wanted; count++) {
        int last = items - wanted + count;
        int drawn = random.nextInt(last + 1);
        chosen[count] = taken[drawn] ? last : drawn;
        taken[chosen[count]] = true;
      }
      for (int i = 0; i < wanted; i++) {
        taken[chosen[i]] = false;
      }
      return chosen;
    };
  }

  /** Return the numbers from 0 on in a random order. */
  static int[] permutation(int size, SplittableRandom random) {
    return shuffled(IntStream.range(0, size).toArray(), random);
  }

  /** Put numbers in a random order. */
  static int[] shuffled(int[] order, SplittableRandom random) {
    for (int i = order.length - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int swapped = order[i];
      order[i] = order[j];
      order[j] = swapped;
    }
    return order;
  }

  /** The activity of users: numbers of positives by a power law, with an exact total. */
  static final class Activity {
    private static final double EXPONENT = 0.6;

    /** A flattening of the power law, so that the most active users do not have everything. */
    private static final double OFFSET = 3;

    private Activity() {}

    /** Return the number of positives of each user. */
    static int[] degrees(Dimensions dimensions, Seed seed) {
      int users = dimensions.users();
      int[] ranks = permutation(users, seed.random());
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

  /**
   * One certain user for every item, if there are enough positives, so that the data has the
   * requested size.
   *
   * <p>Users and items are sorted by their main group, and the items are spread evenly over the
   * users' positives; so most go to a user of their own group where groups are of equal size, and
   * no user gets more than its positives.
   */
  private static final class Coverage {
    private final int[] starts;
    private final int[] items;

    Coverage(Dimensions dimensions, int[] degrees, TasteGroups groups, Seed seed) {
      starts = new int[dimensions.users() + 1];
      if (dimensions.positives() < dimensions.items()) {
        items = new int[0];
        return;
      }
      items = new int[dimensions.items()];
      SplittableRandom random = seed.random();
      int[] userOrder =
          byGroup(permutation(dimensions.users(), random), groups::mainGroupOfUser, dimensions);
      int[] itemOrder =
          byGroup(permutation(dimensions.items(), random), groups::mainGroupOfItem, dimensions);
      int[] owner = new int[dimensions.items()];
      int next = 0;
      long positivesBefore = 0;
      for (int user : userOrder) {
        long end = positivesBefore + degrees[user];
        // Item k is at (k + 1/2) positives / items; these places are at least 1 apart.
        while (next < itemOrder.length
            && (2L * next + 1) * dimensions.positives() < end * 2L * dimensions.items()) {
          owner[itemOrder[next]] = user;
          starts[user + 1]++;
          next++;
        }
        positivesBefore = end;
      }
      for (int user = 0; user < dimensions.users(); user++) {
        starts[user + 1] += starts[user];
      }
      int[] filled = starts.clone();
      for (int item = 0; item < owner.length; item++) {
        items[filled[owner[item]]++] = item;
      }
    }

    /** Sort by group, and keep the order within a group. */
    private static int[] byGroup(int[] order, IntUnaryOperator group, Dimensions dimensions) {
      int[] groups = new int[order.length];
      int[] starts = new int[dimensions.groups() + 1];
      for (int index : order) {
        groups[index] = group.applyAsInt(index);
        starts[groups[index] + 1]++;
      }
      for (int i = 0; i < dimensions.groups(); i++) {
        starts[i + 1] += starts[i];
      }
      int[] sorted = new int[order.length];
      for (int index : order) {
        sorted[starts[groups[index]]++] = index;
      }
      return sorted;
    }

    /** Return the number of items that a user is certain to get. */
    int count(int user) {
      return starts[user + 1] - starts[user];
    }

    /** Return one of the items that a user is certain to get. */
    int item(int user, int index) {
      return items[starts[user] + index];
    }
  }

  /** A sampler of items by the tastes of users, after those that they are certain to get. */
  private static final class TasteSampler implements ItemSampler {
    /** The number of draws per missing item before the rest is drawn from a list of all items. */
    private static final int PATIENCE = 24;

    private final TasteGroups groups;
    private final Coverage coverage;
    private final boolean[] taken;
    private final int[] chosen;
    private int count;

    TasteSampler(TasteGroups groups, Coverage coverage) {
      this.groups = groups;
      this.coverage = coverage;
      this.taken = new boolean[groups.items()];
      this.chosen = new int[groups.items()];
    }

    @Override
    public int[] items(int user, int wanted) {
      count = 0;
      for (int i = 0; i < coverage.count(user); i++) {
        take(coverage.item(user, i));
      }
      TasteGroups.Memberships memberships = groups.memberships(user);
      SplittableRandom random = groups.random(user);
      for (long draws = (long) PATIENCE * wanted; draws > 0 && count < wanted; draws--) {
        int membership = memberships.draw(random);
        int item = groups.draw(memberships.groups()[membership], random);
        if (!taken[item]
            && random.nextInt(1 << 24) < groups.liking(memberships, membership, item) * (1 << 24)) {
          take(item);
        }
      }
      if (count < wanted) {
        drawRest(memberships, wanted, random);
      }
      for (int i = 0; i < count; i++) {
        taken[chosen[i]] = false;
      }
      return chosen;
    }

    private void take(int item) {
      taken[item] = true;
      chosen[count++] = item;
    }

    /**
     * Draw from all remaining items without replacement, in proportion to popularity times liking:
     * those with the smallest E / weight, where E is exponential.
     */
    private void drawRest(
        TasteGroups.Memberships memberships, int wanted, SplittableRandom random) {
      double[] keys = new double[groups.items()];
      for (int item = 0; item < keys.length; item++) {
        double weight = Double.MIN_NORMAL;
        for (int i = 0; i < memberships.groups().length; i++) {
          weight +=
              memberships.shares()[i]
                  * groups.weight(memberships.groups()[i], item)
                  * groups.liking(memberships, i, item);
        }
        keys[item] = -StrictMath.log(1 - random.nextDouble()) / weight;
      }
      IntStream.range(0, keys.length)
          .filter(item -> !taken[item])
          .boxed()
          .sorted(Comparator.comparingDouble((Integer item) -> keys[item]))
          .limit(wanted - count)
          .toList()
          .forEach(this::take);
    }
  }
}
