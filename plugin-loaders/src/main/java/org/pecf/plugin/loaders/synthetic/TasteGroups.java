package org.pecf.plugin.loaders.synthetic;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.pecf.api.run.Parallelism;
import org.pecf.api.run.Seed;

/**
 * The planted taste groups of a synthetic data set.
 *
 * <p>Every group has its own {@linkplain Dimensions.PopularityCurve popularity} of the items, in
 * which the items at home in the group come far before the others; and its own taste of low rank:
 * within group g, user u likes item i with probability h(S t_ug . q_ig), where h(x) = (1 + x / (1 +
 * |x|)) / 2 and the vectors are normal. The {@linkplain Dimensions.GroupLaw law} says how many
 * groups a user belongs to; the shares are random. So no single model of few factors explains all
 * users, while each group on its own is simple.
 */
final class TasteGroups {
  private static final int RANK = 3;
  private static final float SHARPNESS = 3;

  private final int items;
  private final Seed seed;
  private final int groups;
  private final int[] homes;
  private final Dimensions.GroupLaw law;
  private final AliasTable sizes;
  private final int[] places;
  private final AliasTable[] popularity;
  private final float[][] tastes;

  TasteGroups(Dimensions dimensions, Seed seed, Parallelism parallelism) {
    this.items = dimensions.items();
    this.groups = dimensions.groups();
    this.seed = seed;
    this.homes = new int[items];
    SplittableRandom random = seed.child("homes").random();
    for (int item = 0; item < items; item++) {
      homes[item] = random.nextInt(groups);
    }
    this.law = dimensions.law();
    this.sizes = new AliasTable(law.sizes(groups));
    this.places = Population.permutation(items, seed.child("fame").random());
    this.popularity = new AliasTable[groups];
    this.tastes = new float[groups][];
    parallelism.forEach(groups, (group, worker) -> plant(group));
  }

  private void plant(int group) {
    Seed own = seed.child("group", group);
    int[] ranks = Population.permutation(items, own.child("popularity").random());
    double[] weights = new double[items];
    for (int item = 0; item < items; item++) {
      weights[item] =
          law.popularity().weight(items, places[item], ranks[item], homes[item] == group);
    }
    popularity[group] = new AliasTable(weights);
    float[] taste = new float[items * RANK];
    own.child("taste").fillNormal(taste, 1);
    tastes[group] = taste;
  }

  int items() {
    return items;
  }

  int mainGroupOfItem(int item) {
    return homes[item];
  }

  int mainGroupOfUser(int user) {
    return memberships(user).groups[0];
  }

  /** Return the groups of a user; the first has the largest share. */
  Memberships memberships(int user) {
    Seed own = seed.child("user", user);
    SplittableRandom random = own.random();
    int[] chosen = choose(Math.min(groups, 1 + random.nextInt(law.mostMemberships())), random);
    Population.shuffled(chosen, random);
    int count = chosen.length;
    double[] shares = new double[count];
    double sum = 0;
    for (int i = 0; i < count; i++) {
      shares[i] = (1 - sum) * (i == count - 1 ? 1 : 0.5 + 0.3 * random.nextDouble());
      sum += shares[i];
    }
    float[] taste = new float[count * RANK];
    own.child("taste").fillNormal(taste, SHARPNESS);
    return new Memberships(chosen, shares, taste);
  }

  /** Draw distinct groups: each with the same chance, or by their sizes. */
  private int[] choose(int count, SplittableRandom random) {
    int[] chosen = new int[count];
    for (int i = 0; i < count; i++) {
      Arrays.sort(chosen, 0, i);
      if (law.inequality() == 0) {
        int group = random.nextInt(groups - i);
        // The i groups already chosen are left out of the count.
        for (int j = 0; j < i; j++) {
          group += chosen[j] <= group ? 1 : 0;
        }
        chosen[i] = group;
      } else {
        do {
          chosen[i] = sizes.draw(random);
        } while (Arrays.binarySearch(chosen, 0, i, chosen[i]) >= 0);
      }
    }
    return chosen;
  }

  /** Return the generator of a user's draws. */
  SplittableRandom random(int user) {
    return seed.child("draws", user).random();
  }

  /** Draw an item by its popularity in a group. */
  int draw(int group, SplittableRandom random) {
    return popularity[group].draw(random);
  }

  /** Return a number in proportion to the popularity of an item in a group. */
  double weight(int group, int item) {
    return popularity[group].weight(item);
  }

  /** Return the probability with which a user likes an item as a member of a group. */
  float liking(Memberships memberships, int membership, int item) {
    float[] taste = tastes[memberships.groups[membership]];
    float score = 0;
    for (int r = 0; r < RANK; r++) {
      score += memberships.taste[membership * RANK + r] * taste[item * RANK + r];
    }
    return (1 + score / (1 + Math.abs(score))) / 2;
  }

  /** The groups of a user, their shares, and the user's taste in each. */
  record Memberships(int[] groups, double[] shares, float[] taste) {
    /** Draw one of the groups; return its place in the list. */
    int draw(SplittableRandom random) {
      double place = random.nextDouble();
      int membership = 0;
      while (membership < shares.length - 1 && place >= shares[membership]) {
        place -= shares[membership];
        membership++;
      }
      return membership;
    }
  }

  /** A table from which indices are drawn in proportion to weights, in constant time (Walker). */
  static final class AliasTable {
    private final double[] weights;
    private final double[] thresholds;
    private final int[] aliases;

    /**
     * Create a table.
     *
     * @param weights positive numbers, kept by the table. Not modified.
     */
    AliasTable(double[] weights) {
      int size = weights.length;
      this.weights = weights;
      this.thresholds = new double[size];
      this.aliases = new int[size];
      double sum = 0;
      for (double weight : weights) {
        sum += weight;
      }
      int[] small = new int[size];
      int[] large = new int[size];
      int smalls = 0;
      int larges = 0;
      for (int i = 0; i < size; i++) {
        thresholds[i] = weights[i] * size / sum;
        aliases[i] = i;
        if (thresholds[i] < 1) {
          small[smalls++] = i;
        } else {
          large[larges++] = i;
        }
      }
      while (smalls > 0 && larges > 0) {
        int poor = small[--smalls];
        int rich = large[larges - 1];
        aliases[poor] = rich;
        thresholds[rich] -= 1 - thresholds[poor];
        if (thresholds[rich] < 1) {
          larges--;
          small[smalls++] = rich;
        }
      }
      // The rest differ from 1 by rounding only.
      while (larges > 0) {
        thresholds[large[--larges]] = 1;
      }
      while (smalls > 0) {
        thresholds[small[--smalls]] = 1;
      }
    }

    double weight(int index) {
      return weights[index];
    }

    int draw(SplittableRandom random) {
      int index = random.nextInt(thresholds.length);
      return random.nextDouble() < thresholds[index] ? index : aliases[index];
    }
  }
}
