package org.pecf.api.support;

import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apiguardian.api.API;
import org.pecf.api.compute.FieldKernels;
import org.pecf.api.field.CellField;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.SparseProductModel;

/**
 * The map from the scores of a model to the scale of its targets: {@code slope score + intercept}.
 *
 * <p>A filter that learns an order, not ratings, does so before it hands over its model: errors
 * then have a meaning, and an ensemble of such models stays linear in their factors.
 *
 * @param slope above 0, unless the scores do not vary: the order of scores is kept
 * @param intercept the value that a score of zero is mapped to
 * @param error the weighted mean of the squared differences between targets and mapped scores
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Calibration(double slope, double intercept, double error) {
  /**
   * How many units of the target's scale a standard deviation of the scores stands for at least.
   */
  private static final double LEAST_EFFECT = 1e-3;

  private static final long SAMPLED_CELLS = 1 << 24;

  /**
   * Fit by weighted least squares: minimise {@code sum w_ij (t_ij - slope s_ij - intercept)^2} over
   * all cells, with the weights and targets of a task.
   *
   * <p>Where scores fall as targets rise, or targets do not vary, the best line would reverse or
   * flatten the order that the model has learned. The slope is then the smallest that keeps it: a
   * standard deviation of the scores makes a difference of a thousandth.
   *
   * @param task the task that the model was trained for
   * @param model the model. Not modified.
   * @param kernels sum over the grid
   */
  public static Calibration fit(TrainingTask task, ScoreModel model, FieldKernels kernels) {
    CellField w = task.weights();
    CellField t = task.targets();
    CellField s = CellField.score(model);
    double[] sums =
        kernels.sums(
            List.of(
                w,
                CellField.product(w, s),
                CellField.product(w, t),
                CellField.product(w, s, s),
                CellField.product(w, s, t),
                CellField.product(w, t, t)));
    return of(sums);
  }

  /**
   * Fit as {@link #fit} does, over all cells of some users: as many, evenly spread over all, as
   * have {@value #SAMPLED_CELLS} cells. For models that no backend can sum over the whole grid
   * without scoring every cell of it.
   *
   * @param task the task that the model was trained for
   * @param model the model. Not modified.
   * @param kernels evaluate the task and the model
   * @param allocator the source of working memory, three numbers an item
   */
  public static Calibration fitSample(
      TrainingTask task, ScoreModel model, FieldKernels kernels, BufferAllocator allocator) {
    int items = task.shape().items();
    int users = (int) Math.min(task.shape().users(), SAMPLED_CELLS / Math.max(1, items) + 1);
    List<CellField> fields = List.of(task.weights(), CellField.score(model), task.targets());
    float[][] values = new float[fields.size()][items];
    double[] sums = new double[6];
    try (FloatMatrix row = FloatMatrix.allocate(allocator, 1, items)) {
      for (int k = 0; k < users; k++) {
        int user = (int) ((long) k * task.shape().users() / users);
        for (int field = 0; field < values.length; field++) {
          kernels.fill(fields.get(field), user, 0, row);
          row.readRow(0, values[field]);
        }
        add(values[0], values[1], values[2], sums);
      }
    }
    return of(sums);
  }

  private static void add(float[] weights, float[] scores, float[] targets, double[] sums) {
    for (int item = 0; item < weights.length; item++) {
      double w = weights[item];
      double s = scores[item];
      double t = targets[item];
      sums[0] += w;
      sums[1] += w * s;
      sums[2] += w * t;
      sums[3] += w * s * s;
      sums[4] += w * s * t;
      sums[5] += w * t * t;
    }
  }

  private static Calibration of(double[] sums) {
    if (!(sums[0] > 0)) {
      return new Calibration(1, 0, 0);
    }
    double score = sums[1] / sums[0];
    double target = sums[2] / sums[0];
    double scoreVariance = Math.max(0, sums[3] / sums[0] - score * score);
    double covariance = sums[4] / sums[0] - score * target;
    double targetVariance = Math.max(0, sums[5] / sums[0] - target * target);
    // Beyond this the variance is rounding alone.
    if (scoreVariance <= 1e-12 * score * score) {
      return new Calibration(0, target, targetVariance);
    }
    double slope = Math.max(covariance / scoreVariance, LEAST_EFFECT / Math.sqrt(scoreVariance));
    double error = targetVariance - slope * (2 * covariance - slope * scoreVariance);
    return new Calibration(slope, target - slope * score, Math.max(0, error));
  }

  /**
   * Fold the map into a model's factors: {@code v_j = slope v_j}, and the intercept is added to the
   * factor of every item that all users multiply by one.
   *
   * @param model the model; its users are not modified. Its items are modified.
   * @param constant which factor is one for every user
   */
  public void fold(FactorModel model, int constant) {
    FloatMatrix items = model.items();
    float[] row = new float[items.columns()];
    for (int item = 0; item < items.rows(); item++) {
      items.readRow(item, row);
      for (int k = 0; k < row.length; k++) {
        row[k] *= (float) slope;
      }
      row[constant] += (float) intercept;
      items.writeRows(item, 1, row);
    }
  }

  /**
   * Fold the map into a sparse product: similarities are multiplied by the slope, and the intercept
   * becomes {@code slope intercept + this intercept}.
   *
   * @param model the model, replaced by the returned one. Its similarities are modified.
   */
  public SparseProductModel fold(SparseProductModel model) {
    return model.scaled((float) slope, (float) (slope * model.intercept() + intercept));
  }
}
