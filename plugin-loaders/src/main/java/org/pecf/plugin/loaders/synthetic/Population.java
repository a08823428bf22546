package org.pecf.plugin.loaders.synthetic;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Supplier;
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
}
