package org.pecf.engine.construct;

import org.pecf.api.PecfException;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.SparseCells;

/**
 * An inspection of the weights that a scheme chose: of few cells before training, at almost no
 * cost, and of many after a training on them has failed.
 *
 * @param owner the name of the scheme in messages
 * @param weights the weights
 * @param positives the training positives, borrowed
 */
record WeightInspection(String owner, CellField weights, SparseCells positives) {
  private static final int FEW = 2_000;
  private static final int MANY = 10_000_000;
  private static final double GOLDEN_RATIO = 0.6180339887498949;

  /** Inspect some positives and some cells anywhere. */
  void few() {
    int step = Math.max(1, positives.users() / FEW);
    for (int user = 0; user < positives.users(); user += step) {
      int count = positives.userCount(user);
      if (count > 0) {
        check(user, positives.itemAt(positives.userStart(user) + user % count));
      }
    }
    cells(FEW);
  }

  /** Inspect all cells, or ten million of them. */
  void many() {
    cells(MANY);
  }

  private void cells(int count) {
    long all = (long) positives.users() * positives.items();
    for (long k = 0; k < Math.min(all, count); k++) {
      long cell = all <= count ? k : (long) (k * GOLDEN_RATIO % 1 * all);
      check((int) (cell / positives.items()), (int) (cell % positives.items()));
    }
  }

  private void check(int user, int item) {
    float weight = value(user, item);
    if (!(weight >= 0 && weight < Float.POSITIVE_INFINITY)) {
      throw PecfException.pluginFault(
          "%s gives user %s and item %s the weight %s, but a weight is a finite number and not"
              + " negative. Tell its author.",
          owner, user, item, weight);
    }
  }

  private float value(int user, int item) {
    try {
      return weights.valueAt(user, item);
    } catch (PecfException e) {
      throw e;
    } catch (RuntimeException | LinkageError e) {
      throw PecfException.pluginFault(
              "%s has no weight for user %s and item %s: %s. Tell its author.",
              owner, user, item, e)
          .causedBy(e);
    }
  }
}
