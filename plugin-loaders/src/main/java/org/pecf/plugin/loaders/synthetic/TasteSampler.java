package org.pecf.plugin.loaders.synthetic;

import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** A sampler of items by the tastes of users, after those that they are certain to get. */
final class TasteSampler implements Population.ItemSampler {
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
  private void drawRest(TasteGroups.Memberships memberships, int wanted, SplittableRandom random) {
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
