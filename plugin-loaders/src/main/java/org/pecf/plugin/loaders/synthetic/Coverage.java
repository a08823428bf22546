package org.pecf.plugin.loaders.synthetic;

import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import org.pecf.api.run.Seed;

/**
 * Give every item one user for sure, if there are positives enough, so that data has the size that
 * was asked for.
 *
 * <p>Users and items are lined up by their main group, and the items spread evenly over the users'
 * positives; so most go to a user of their own group, and no user gets more than it has positives.
 */
final class Coverage {
  private final int[] starts;
  private final int[] items;

  Coverage(Shape shape, int[] degrees, TasteGroups groups, Seed seed) {
    starts = new int[shape.users() + 1];
    if (shape.positives() < shape.items()) {
      items = new int[0];
      return;
    }
    items = new int[shape.items()];
    SplittableRandom random = seed.random();
    int[] userOrder =
        byGroup(Permutation.draw(shape.users(), random), groups::mainGroupOfUser, shape);
    int[] itemOrder =
        byGroup(Permutation.draw(shape.items(), random), groups::mainGroupOfItem, shape);
    int[] owner = new int[shape.items()];
    int next = 0;
    long positivesBefore = 0;
    for (int user : userOrder) {
      long end = positivesBefore + degrees[user];
      // Item k stands at (k + 1/2) positives / items; these places are at least 1 apart.
      while (next < itemOrder.length
          && (2L * next + 1) * shape.positives() < end * 2L * shape.items()) {
        owner[itemOrder[next]] = user;
        starts[user + 1]++;
        next++;
      }
      positivesBefore = end;
    }
    for (int user = 0; user < shape.users(); user++) {
      starts[user + 1] += starts[user];
    }
    int[] filled = starts.clone();
    for (int item = 0; item < owner.length; item++) {
      items[filled[owner[item]]++] = item;
    }
  }

  /** Sort by group, and keep the order within a group. */
  private static int[] byGroup(int[] order, IntUnaryOperator group, Shape shape) {
    int[] groups = new int[order.length];
    int[] starts = new int[shape.groups() + 1];
    for (int index : order) {
      groups[index] = group.applyAsInt(index);
      starts[groups[index] + 1]++;
    }
    for (int i = 0; i < shape.groups(); i++) {
      starts[i + 1] += starts[i];
    }
    int[] sorted = new int[order.length];
    for (int index : order) {
      sorted[starts[groups[index]]++] = index;
    }
    return sorted;
  }

  /** Return how many items a user gets for sure. */
  int count(int user) {
    return starts[user + 1] - starts[user];
  }

  /** Return one of the items that a user gets for sure. */
  int item(int user, int index) {
    return items[starts[user] + index];
  }
}
