package org.pecf.plugin.loaders.synthetic;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.pecf.api.run.Seed;

/**
 * A population without any taste: users have equally many positives, give or take one, and every
 * set of so many items is equally likely. What is held out of it cannot be predicted better than by
 * chance.
 */
final class NoisePopulation implements Population {
  private final Shape shape;
  private final Seed seed;

  NoisePopulation(Shape shape, Seed seed) {
    this.shape = shape;
    this.seed = seed;
  }

  @Override
  public int[] degrees() {
    int[] degrees = new int[shape.users()];
    Arrays.fill(degrees, (int) (shape.positives() / shape.users()));
    Arrays.fill(
        degrees, 0, (int) (shape.positives() % shape.users()), degrees[degrees.length - 1] + 1);
    return degrees;
  }

  @Override
  public ItemSampler sampler() {
    boolean[] taken = new boolean[shape.items()];
    int[] chosen = new int[shape.items()];
    return (user, wanted) -> {
      SplittableRandom random = seed.child("user", user).random();
      // Floyd's way to a random set: the last of a growing range stands in for what is taken.
      for (int count = 0; count < wanted; count++) {
        int last = shape.items() - wanted + count;
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
