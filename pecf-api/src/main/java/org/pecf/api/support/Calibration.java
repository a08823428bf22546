package org.pecf.api.support;

import java.util.List;
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
    model.similarities().scale((float) slope);
    return new SparseProductModel(
        model.inner(),
        model.left(),
        model.right(),
        (float) (slope * model.intercept() + intercept));
  }
}
