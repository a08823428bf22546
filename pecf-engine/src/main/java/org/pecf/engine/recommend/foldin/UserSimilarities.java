package org.pecf.engine.recommend.foldin;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.pecf.api.memory.RowRule;
import org.pecf.api.memory.Selection;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.memory.SparseProductModel;

/**
 * The similarities of new users to those of the training, as {@link RowRule.Neighbours} defines
 * them. Safe for use by many threads at once.
 */
final class UserSimilarities {
  private final RowRule.Neighbours rule;
  private final SparseProductModel model;
  private final SparseCells training;
  private double @Nullable [] roots;

  /**
   * Prepare similarities; nothing is computed yet.
   *
   * @param model borrowed
   * @param training borrowed
   */
  UserSimilarities(RowRule.Neighbours rule, SparseProductModel model, SparseCells training) {
    this.rule = rule;
    this.model = model;
    this.training = training;
  }

  /** The most similar users, ascending, and how similar they are. */
  private record Similar(int[] users, float[] values) {}

  private double weight(int item) {
    int count = training.itemCount(item);
    return count == 0 ? 0 : Math.pow(count, -rule.idf());
  }

  /** Return the root of the sum of the weights of every user's items. */
  private synchronized double[] roots() {
    if (roots == null) {
      double[] sums = new double[training.users()];
      for (int item = 0; item < training.items(); item++) {
        double weight = weight(item);
        for (int p = training.itemStart(item); p < training.itemStart(item + 1); p++) {
          sums[training.userAt(p)] += weight;
        }
      }
      for (int user = 0; user < sums.length; user++) {
        sums[user] = Math.sqrt(sums[user]);
      }
      roots = sums;
    }
    return roots;
  }

  private Similar of(int[] positives) {
    double[] shared = new double[training.users()];
    int[] met = new int[training.users()];
    double own = 0;
    for (int item : positives) {
      double weight = weight(item);
      own += weight;
      for (int p = training.itemStart(item); p < training.itemStart(item + 1); p++) {
        int user = training.userAt(p);
        shared[user] += weight;
        met[user]++;
      }
    }
    double root = Math.sqrt(own);
    float[] strengths = new float[shared.length];
    long[] keys = new long[shared.length];
    int count = 0;
    for (int user = 0; user < shared.length; user++) {
      // Who has the same items is the user, or knows of no others.
      boolean same = met[user] == positives.length && met[user] == training.userCount(user);
      if (shared[user] > 0 && !same) {
        strengths[user] = (float) (shared[user] / (root * roots()[user] + rule.shrinkage()));
        keys[count++] = (long) ~Float.floatToRawIntBits(strengths[user]) << Integer.SIZE | user;
      }
    }
    if (count > rule.neighbours()) {
      Selection.select(keys, count, rule.neighbours());
      count = rule.neighbours();
    }
    int[] users = new int[count];
    for (int k = 0; k < count; k++) {
      users[k] = (int) keys[k];
    }
    Arrays.sort(users);
    float[] values = new float[count];
    for (int k = 0; k < count; k++) {
      values[k] = (float) (rule.factor() * (float) Math.pow(strengths[users[k]], rule.locality()));
    }
    return new Similar(users, values);
  }

  /**
   * Return the scores of a user of some items.
   *
   * @param positives ascending. Not modified.
   */
  float[] scores(int[] positives) {
    Similar similar = of(positives);
    float[] scores = new float[model.shape().items()];
    model.scoreRow(similar.users(), similar.values(), scores);
    return scores;
  }

  /**
   * Divide the score of an item among the user's items: what a similar user adds to it, by the
   * weights of the items that the two share.
   *
   * @param positives ascending. Not modified.
   */
  Attribution attribution(int[] positives, int item) {
    Similar similar = of(positives);
    double[] parts = new double[positives.length];
    for (int k = 0; k < similar.users().length; k++) {
      int user = similar.users()[k];
      double added = similar.values()[k] * model.right().get(user, item);
      double shared = 0;
      for (int pass = 0; added != 0 && pass < 2; pass++) {
        for (int p = 0; p < positives.length; p++) {
          if (training.contains(user, positives[p])) {
            if (pass == 0) {
              shared += weight(positives[p]);
            } else {
              parts[p] += added * weight(positives[p]) / shared;
            }
          }
        }
      }
    }
    return new Attribution(parts, model.intercept());
  }
}
