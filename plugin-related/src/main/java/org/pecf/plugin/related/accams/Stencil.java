package org.pecf.plugin.related.accams;

import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.RowRule;
import org.pecf.api.memory.RowRules;
import org.pecf.api.memory.Side;

/**
 * A co-clustering: the value of a cell is the entry of its user's and its item's cluster.
 *
 * @param users the cluster of each user
 * @param items the cluster of each item
 * @param userClusters the number of clusters of users
 * @param itemClusters the number of clusters of items
 * @param entries the values, one row per cluster of users
 */
record Stencil(int[] users, int[] items, int userClusters, int itemClusters, double[] entries) {
  /** Return a stencil of zeros with all users in one cluster and all items in one. */
  static Stencil blank(int users, int items, int clusters) {
    return new Stencil(
        new int[users], new int[items], clusters, clusters, new double[clusters * clusters]);
  }

  /** Return the clusters of one side. */
  int[] assignment(Side side) {
    return side == Side.USERS ? users : items;
  }

  /** Return the number of clusters of one side. */
  int clusters(Side side) {
    return side == Side.USERS ? userClusters : itemClusters;
  }

  /** Return the place of the entry of a cluster of one side and one of the other. */
  int place(Side side, int own, int other) {
    return side == Side.USERS ? own * itemClusters + other : other * itemClusters + own;
  }

  /** Return the value of a cell. */
  double valueAt(int user, int item) {
    return entries[users[user] * itemClusters + items[item]];
  }

  /** Return a stencil without the empty clusters of users. */
  Stencil compacted() {
    int[] labels = new int[userClusters];
    for (int cluster : users) {
      labels[cluster] = 1;
    }
    int count = 0;
    for (int cluster = 0; cluster < userClusters; cluster++) {
      labels[cluster] = labels[cluster] == 0 ? -1 : count++;
    }
    int[] compactUsers = new int[users.length];
    for (int user = 0; user < users.length; user++) {
      compactUsers[user] = labels[users[user]];
    }
    double[] compactEntries = new double[count * itemClusters];
    for (int cluster = 0; cluster < userClusters; cluster++) {
      if (labels[cluster] >= 0) {
        System.arraycopy(
            entries,
            cluster * itemClusters,
            compactEntries,
            labels[cluster] * itemClusters,
            itemClusters);
      }
    }
    return new Stencil(compactUsers, items.clone(), count, itemClusters, compactEntries);
  }

  /**
   * Return the model that scores a cell by a multiple of the sum of stencils: the factors of a user
   * are one at the user's cluster in each stencil and zero elsewhere, those of an item its columns
   * of the stencils.
   */
  static FactorModel model(
      BufferAllocator allocator, GridShape shape, List<Stencil> stencils, double multiple) {
    int rank = stencils.stream().mapToInt(Stencil::userClusters).sum();
    FactorModel model = FactorModel.allocate(allocator, shape, rank);
    int offset = 0;
    for (Stencil stencil : stencils) {
      for (int user = 0; user < shape.users(); user++) {
        model.users().set(user, offset + stencil.users[user], 1);
      }
      for (int item = 0; item < shape.items(); item++) {
        for (int cluster = 0; cluster < stencil.userClusters; cluster++) {
          double entry = stencil.entries[cluster * stencil.itemClusters + stencil.items[item]];
          model.items().set(item, offset + cluster, (float) (multiple * entry));
        }
      }
      offset += stencil.userClusters;
    }
    RowRule none = new RowRule.Impossible("co-clustering assigns clusters in training only");
    return model.withRules(new RowRules(none, none));
  }
}
