package org.pecf.plugin.loaders.synthetic;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.pecf.api.run.Seed;

/**
 * A population without any taste: users have equally many positives, give or take one, and every
 * set of items of that size is equally likely. Held-out positives cannot be predicted better than
 * by chance.
 */
final class NoisePopulation implements Population {
  private final Dimensions dimensions;
  private final Seed seed;

  NoisePopulation(Dimensions dimensions, Seed seed) {
    this.dimensions = dimensions;
    this.seed = seed;
  }

  @Override
  public int[] degrees() {
    int[] degrees = new int[dimensions.users()];
    Arrays.fill(degrees, (int) (dimensions.positives() / dimensions.users()));
    Arrays.fill(
        degrees,
        0,
        (int) (dimensions.positives() % dimensions.users()),
        degrees[degrees.length - 1] + 1);
    return degrees;
  }

  @Override
  public ItemSampler sampler() {
    boolean[] taken = new boolean[dimensions.items()];
    int[] chosen = new int[dimensions.items()];
    return (user, wanted) -> {
      SplittableRandom random = seed.child("user", user).random();
      // Floyd's algorithm for a random set: the last of a growing range replaces a taken one.
      for (int count = 0; count < wanted; count++) {
        int last = dimensions.items() - wanted + count;
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
