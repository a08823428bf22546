package org.pecf.engine.data;

import org.pecf.api.memory.SparseCells;

/**
 * A filter of the users and items that remain when those with too few positives are left out until
 * none has too few.
 *
 * <p>The result does not depend on the order of removals. Each user or item that falls below the
 * required number is removed once, with its cells, so the work is in proportion to the cells.
 */
final class RarityFilter {
  private final SparseCells cells;
  private final int minUser;
  private final int minItem;
  private final int[] userCounts;
  private final int[] itemCounts;
  private final int[] pending;
  private int pendingSize;

  private RarityFilter(SparseCells cells, int minUser, int minItem) {
    this.cells = cells;
    this.minUser = Math.max(1, minUser);
    this.minItem = Math.max(1, minItem);
    this.userCounts = new int[cells.users()];
    this.itemCounts = new int[cells.items()];
    this.pending = new int[cells.users() + cells.items()];
  }

  /**
   * The users and items that remain.
   *
   * @param users whether each user remains
   * @param items whether each item remains
   */
  record Remaining(boolean[] users, boolean[] items) {}

  /**
   * Leave out users with fewer than minUser cells and items with fewer than minItem. At least one
   * cell is always required.
   */
  static Remaining of(SparseCells cells, int minUser, int minItem) {
    return new RarityFilter(cells, minUser, minItem).remaining();
  }

  private Remaining remaining() {
    for (int user = 0; user < userCounts.length; user++) {
      userCounts[user] = cells.userCount(user);
      if (userCounts[user] < minUser) {
        pending[pendingSize++] = user;
      }
    }
    for (int item = 0; item < itemCounts.length; item++) {
      itemCounts[item] = cells.itemCount(item);
      if (itemCounts[item] < minItem) {
        pending[pendingSize++] = ~item;
      }
    }
    while (pendingSize > 0) {
      int removed = pending[--pendingSize];
      if (removed >= 0) {
        removeUser(removed);
      } else {
        removeItem(~removed);
      }
    }
    boolean[] users = new boolean[userCounts.length];
    for (int user = 0; user < users.length; user++) {
      users[user] = userCounts[user] >= minUser;
    }
    boolean[] items = new boolean[itemCounts.length];
    for (int item = 0; item < items.length; item++) {
      items[item] = itemCounts[item] >= minItem;
    }
    return new Remaining(users, items);
  }

  private void removeUser(int user) {
    for (int k = cells.userStart(user); k < cells.userStart(user + 1); k++) {
      int item = cells.itemAt(k);
      // An item becomes pending exactly when it falls below the required number.
      if (itemCounts[item]-- == minItem) {
        pending[pendingSize++] = ~item;
      }
    }
  }

  private void removeItem(int item) {
    for (int k = cells.itemStart(item); k < cells.itemStart(item + 1); k++) {
      int user = cells.userAt(k);
      if (userCounts[user]-- == minUser) {
        pending[pendingSize++] = user;
      }
    }
  }
}
