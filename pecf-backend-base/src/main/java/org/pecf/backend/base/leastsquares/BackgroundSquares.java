package org.pecf.backend.base.leastsquares;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.backend.base.field.ScoreCombination;

/**
 * The sum over all cells of the squared background targets {@code t + sum_k c_k u^(k) . v^(k)},
 * from products of the models' factors. The time grows with the square of the number of models.
 */
public final class BackgroundSquares {
  private BackgroundSquares() {}

  /** The products of factors that a backend computes. */
  public interface FactorSums {
    /** Return the sum of every column. */
    double[] columnSums(FloatMatrix matrix);

    /**
     * Return {@code sum_ij (u_i . v_j) (x_i . y_j)}, the inner product of U'X and V'Y, for each
     * pair of models.
     */
    double[] gramianProducts(List<Pair> pairs);
  }

  /** Two models, or twice the same. */
  public record Pair(FactorModel left, FactorModel right) {}

  /**
   * Return the sum of squares.
   *
   * @param constant t
   * @param scores combinations that are added up, without mixed products between them
   * @param cells the number of cells
   */
  public static double of(
      double constant, List<ScoreCombination> scores, long cells, FactorSums products) {
    double squares = constant * constant * cells;
    for (ScoreCombination combination : scores) {
      List<Pair> pairs = new ArrayList<>();
      List<Double> factors = new ArrayList<>();
      for (int a = 0; a < combination.size(); a++) {
        FactorModel model = combination.model(a);
        double[] users = products.columnSums(model.users());
        double[] items = products.columnSums(model.items());
        squares += 2 * constant * combination.coefficient(a) * dot(users, items);
        for (int b = 0; b <= a; b++) {
          pairs.add(new Pair(model, combination.model(b)));
          factors.add(
              (a == b ? 1.0 : 2.0) * combination.coefficient(a) * combination.coefficient(b));
        }
      }
      double[] parts = products.gramianProducts(pairs);
      Arrays.setAll(parts, k -> factors.get(k) * parts[k]);
      squares += Arrays.stream(parts).sum();
    }
    return squares;
  }

  private static double dot(double[] left, double[] right) {
    double sum = 0;
    for (int k = 0; k < left.length; k++) {
      sum += left[k] * right[k];
    }
    return sum;
  }
}
