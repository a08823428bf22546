package org.pecf.engine.construct;

import org.pecf.api.PecfException;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.SparseCells;

/**
 * A look at the weights that a scheme chose: at few cells before they are trained on, which costs
 * next to nothing, and at many once a training on them has failed.
 *
 * @param owner who chose them, for messages
 * @param weights what was chosen
 * @param positives the training positives, borrowed
 */
record WeightInspection(String owner, CellField weights, SparseCells positives) {
  private static final int FEW = 2_000;
  private static final int MANY = 10_000_000;
  private static final double GOLDEN_RATIO = 0.6180339887498949;

  /** Look at some positives and some cells anywhere. */
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

  /** Look at all cells, or at ten million of them. */
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
