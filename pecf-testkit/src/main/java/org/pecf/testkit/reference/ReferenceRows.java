package org.pecf.testkit.reference;

import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.pecf.api.filter.NewRow;
import org.pecf.api.filter.RowFitter;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.RowRule;
import org.pecf.api.memory.Side;

/** Rows of new users, by the definition of a model's {@link RowRule}: slow and obvious. */
public final class ReferenceRows {
  private static final int CLIMBS = 20;

  private ReferenceRows() {}

  /**
   * Fit every user of a task again and compare scores: {@code sqrt(sum (s - s')^2 / sum s^2)} over
   * all cells.
   *
   * @param task the task that the model was trained for
   * @param model its items are not modified
   * @param fitter the filter's own way of fitting rows, if it has one
   */
  public static double relativeError(
      TrainingTask task, FactorModel model, Optional<RowFitter> fitter) {
    double[][] items = ReferenceLeastSquares.rows(model.items());
    double[][] users = ReferenceLeastSquares.rows(model.users());
    double off = 0;
    double all = 0;
    for (int user = 0; user < users.length; user++) {
      double[] row =
          model.rules().users() instanceof RowRule.OfFilter rule
              ? own(task, model, rule, user, fitter)
              : row(task, model.rules().users(), user, items);
      for (double[] item : items) {
        double trained = ReferenceLeastSquares.dot(users[user], item);
        double again = ReferenceLeastSquares.dot(row, item);
        off += (trained - again) * (trained - again);
        all += trained * trained;
      }
    }
    return Math.sqrt(off / all);
  }

  private static double[] own(
      TrainingTask task,
      FactorModel model,
      RowRule.OfFilter rule,
      int user,
      Optional<RowFitter> fitter) {
    int cells = task.shape().items();
    float[] weights = new float[cells];
    float[] targets = new float[cells];
    for (int item = 0; item < cells; item++) {
      weights[item] = task.weights().valueAt(user, item);
      targets[item] = task.targets().valueAt(user, item);
    }
    int[] positives =
        IntStream.range(0, cells).filter(item -> task.positives().contains(user, item)).toArray();
    float[] row =
        fitter
            .orElseThrow(() -> new AssertionError("there is no fitter for the rule " + rule))
            .fit(
                new NewRow(
                    Side.USERS,
                    positives,
                    weights,
                    targets,
                    model.items().lent(),
                    rule.settings()));
    return IntStream.range(0, row.length).mapToDouble(k -> row[k]).toArray();
  }

  /** Return the row of a user of a task by a rule. */
  private static double[] row(TrainingTask task, RowRule rule, int user, double[][] items) {
    int rank = items[0].length;
    double[] row = new double[rank];
    if (rule instanceof RowRule.Same same) {
      Arrays.fill(row, same.value());
    } else if (rule instanceof RowRule.Positives) {
      Arrays.fill(row, items.length, rank, 1);
      for (int item = 0; item < items.length; item++) {
        row[item] = task.positives().contains(user, item) ? 1 : 0;
      }
    } else if (rule instanceof RowRule.Pairwise pairwise) {
      return pairwise(task, pairwise, user, items);
    } else if (rule instanceof RowRule.Softmax softmax) {
      return softmax(task, softmax, user, items);
    } else if (!(rule instanceof RowRule.Impossible)) {
      return squares(task, rule, user, items);
    }
    return row;
  }

  private static double[] squares(TrainingTask task, RowRule rule, int user, double[][] items) {
    int rank = items[0].length;
    double[][] matrix = new double[rank][rank];
    double[] right = new double[rank];
    double total = 0;
    for (int item = 0; item < items.length; item++) {
      double weight = task.weights().valueAt(user, item);
      double target = task.targets().valueAt(user, item);
      total += weight;
      for (int k = 0; k < rank; k++) {
        right[k] += weight * target * items[item][k];
        for (int l = 0; l < rank; l++) {
          matrix[k][l] += weight * items[item][k] * items[item][l];
        }
      }
    }
    double ridge = 0;
    if (rule instanceof RowRule.LeastSquares squares) {
      ridge = squares.unitPenalty() * Math.pow(total, squares.exponent()) / 2;
    } else {
      for (int k = 0; k < rank; k++) {
        ridge += 0.01 * matrix[k][k] / rank;
      }
    }
    for (int k = 0; k < rank; k++) {
      matrix[k][k] += ridge;
    }
    return ridge == 0 ? new double[rank] : GaussianElimination.solve(matrix, right);
  }

  /** Climb by many short steps. */
  private static double[] softmax(
      TrainingTask task, RowRule.Softmax rule, int user, double[][] items) {
    double[] row = new double[items[0].length];
    int last = row.length - 1;
    double step = 0;
    for (int round = 0; round <= CLIMBS * rule.steps() && rule.slope() > 0; round++) {
      double[] shares = new double[items.length];
      double all = 0;
      double weights = 0;
      for (int item = 0; item < items.length; item++) {
        double cosine = ReferenceLeastSquares.dot(row, items[item]) / rule.slope();
        shares[item] = Math.exp(cosine / rule.temperature());
        all += shares[item];
        weights += liked(task, user, item);
      }
      for (int item = 0; item < items.length && weights > 0; item++) {
        double push = step == 0 ? 0 : shares[item] / all;
        double pull = liked(task, user, item) / weights - push;
        for (int k = 0; k < last; k++) {
          row[k] += (step == 0 ? 1 : step) * pull * items[item][k] / rule.slope();
        }
      }
      double length = 0;
      for (int k = 0; k < last; k++) {
        length += row[k] * row[k];
      }
      for (int k = 0; k < last && length > 0; k++) {
        row[k] /= Math.sqrt(length);
      }
      step = 0.05;
    }
    row[last] = 1;
    return row;
  }

  private static double liked(TrainingTask task, int user, int item) {
    return task.positives().contains(user, item) ? task.weights().valueAt(user, item) : 0;
  }

  private static double[] pairwise(
      TrainingTask task, RowRule.Pairwise rule, int user, double[][] items) {
    double[] row = new double[items[0].length];
    int last = row.length - 1;
    row[last] = 1;
    int[] liked =
        IntStream.range(0, items.length)
            .filter(item -> task.positives().contains(user, item))
            .toArray();
    int[] others =
        IntStream.range(0, items.length)
            .filter(item -> !task.positives().contains(user, item))
            .toArray();
    if (rule.slope() == 0 || liked.length == 0 || others.length == 0) {
      return row;
    }
    SplittableRandom random = new SplittableRandom(user);
    int steps = rule.epochs() * liked.length;
    for (int step = 0; step < steps; step++) {
      double[] positive = items[liked[random.nextInt(liked.length)]];
      double[] negative = items[others[random.nextInt(others.length)]];
      double difference = 0;
      for (int k = 0; k <= last; k++) {
        difference += row[k] * (positive[k] - negative[k]) / rule.slope();
      }
      double rate = rule.rate() * (1 - (double) step / steps);
      double pull = 1 / (1 + Math.exp(difference));
      for (int k = 0; k < last; k++) {
        row[k] +=
            rate * (pull * (positive[k] - negative[k]) / rule.slope() - rule.penalty() * row[k]);
      }
    }
    return row;
  }
}
