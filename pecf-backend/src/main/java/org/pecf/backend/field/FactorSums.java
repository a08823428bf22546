package org.pecf.backend.field;

import java.util.List;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;

/** The sums over all cells of scores and of their products, which a backend takes from factors. */
public interface FactorSums {
  /** Two models, or twice the same. */
  record Pair(FactorModel left, FactorModel right) {}

  /** Return the sum of every column. */
  double[] columnSums(FloatMatrix matrix);

  /**
   * Return {@code sum_ij (u_i . v_j) (x_i . y_j)}, the inner product of U'X and V'Y, for each pair
   * of models.
   */
  double[] gramianProducts(List<Pair> pairs);
}
