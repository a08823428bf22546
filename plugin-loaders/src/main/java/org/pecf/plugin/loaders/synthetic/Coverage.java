package org.pecf.plugin.loaders.synthetic;

import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import org.pecf.api.run.Seed;

/**
 * One certain user for every item, if there are enough positives, so that the data has the
 * requested size.
 *
 * <p>Users and items are sorted by their main group, and the items are spread evenly over the
 * users' positives; so most go to a user of their own group where groups are of equal size, and no
 * user gets more than its positives.
 */
final class Coverage {
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
        byGroup(Permutation.draw(dimensions.users(), random), groups::mainGroupOfUser, dimensions);
    int[] itemOrder =
        byGroup(Permutation.draw(dimensions.items(), random), groups::mainGroupOfItem, dimensions);
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
