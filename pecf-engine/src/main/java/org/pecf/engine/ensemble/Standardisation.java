package org.pecf.engine.ensemble;

import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.compute.FieldKernels;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.SparseProductModel;
import org.pecf.api.run.RunContext;

/**
 * The division of each user's scores by their standard deviation over all items, so that models of
 * different scales can be added up. What is added to all scores of a user changes no list, so the
 * mean stays as it is.
 *
 * <p>A factor model stays one: the user's factors are divided. So does a sparse product, whose left
 * row is divided and whose intercept stays.
 */
public final class Standardisation {
  private static final int TILE_FLOATS = 1 << 22;
  private static final int MOST_ROWS = 256;

  private Standardisation() {}

  /**
   * Return the factor by which the scores of a user are multiplied: the reciprocal of their
   * standard deviation, or 1 if they do not vary.
   *
   * @param scores the scores of all items. Not modified.
   */
  public static float factor(float[] scores) {
    double sum = 0;
    for (float score : scores) {
      sum += score;
    }
    double mean = sum / scores.length;
    double squares = 0;
    for (float score : scores) {
      squares += (score - mean) * (score - mean);
    }
    double variance = squares / scores.length;
    float factor = (float) (1 / Math.sqrt(variance));
    // Below this the variance is rounding alone.
    boolean varies = variance > 1e-12 * mean * mean && Float.isFinite(factor) && factor > 0;
    return varies ? factor : 1;
  }

  /**
   * Return the factor of every user under a model.
   *
   * @param model the model. Not modified.
   */
  public static float[] factors(ScoreModel model, FieldKernels kernels, RunContext run) {
    GridShape shape = model.shape();
    CellField scores = CellField.score(model);
    float[] factors = new float[shape.users()];
    int most = Math.max(1, Math.min(MOST_ROWS, TILE_FLOATS / Math.max(1, shape.items())));
    for (int first = 0; first < shape.users(); first += most) {
      int from = first;
      int rows = Math.min(most, shape.users() - first);
      try (FloatMatrix tile = FloatMatrix.allocate(run.allocator(), rows, shape.items())) {
        kernels.fill(scores, first, 0, tile);
        run.parallelism()
            .forEach(
                rows,
                (row, worker) -> {
                  float[] values = new float[shape.items()];
                  tile.readRow(row, values);
                  factors[from + row] = factor(values);
                });
      }
    }
    return factors;
  }

  /**
   * Return the model of the same kind whose scores are multiplied user by user.
   *
   * @param model from now on owned by the returned model, unless this method throws
   * @param factors one number per user. Not modified.
   */
  public static ScoreModel scaled(ScoreModel model, float[] factors, BufferAllocator allocator) {
    if (model instanceof FactorModel known) {
      FloatMatrix users = FloatMatrix.allocate(allocator, factors.length, known.rank());
      float[] row = new float[known.rank()];
      for (int user = 0; user < factors.length; user++) {
        known.users().readRow(user, row);
        scale(row, factors[user]);
        users.writeRows(user, 1, row);
      }
      known.users().close();
      return new FactorModel(users, known.items(), known.rules());
    }
    if (model instanceof SparseProductModel product) {
      SparseProductModel scaled =
          new SparseProductModel(
              product.inner(),
              product.left().scaledRows(allocator, factors),
              product.right(),
              product.intercept(),
              product.newUsers());
      product.left().close();
      return scaled;
    }
    return new ScaledScores(model, factors);
  }

  /**
   * Multiply the elements of an array.
   *
   * @param values Modified.
   */
  public static void scale(float[] values, float factor) {
    for (int k = 0; k < values.length; k++) {
      values[k] *= factor;
    }
  }

  /** The scores of a model of a kind of its own, multiplied user by user. */
  private record ScaledScores(ScoreModel model, float[] factors) implements ScoreModel {
    @Override
    public GridShape shape() {
      return model.shape();
    }

    @Override
    public float scoreAt(int user, int item) {
      return factors[user] * model.scoreAt(user, item);
    }

    @Override
    public void scoreRow(int user, float[] scores) {
      model.scoreRow(user, scores);
      scale(scores, factors[user]);
    }

    @Override
    public ScoreModel transferTo(BufferAllocator target) {
      return new ScaledScores(model.transferTo(target), factors);
    }

    @Override
    public void close() {
      model.close();
    }
  }
}
