package org.pecf.testkit.reference;

import java.util.Arrays;
import org.pecf.api.PecfException;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresPlan;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.api.run.Cancellation;

/**
 * Weighted least squares by the normal equations of every row, in double precision: {@code (sum_j
 * w_ij v_j v_j' + penalty_i / 2 I) u_i = sum_j w_ij t_ij v_j}, and the same for items.
 *
 * <p>A row that no cell weighs upon and whose penalty is zero (a positive {@link
 * org.pecf.api.compute.Ridge#exponent() exponent}) is set to zero. Where no cell of the grid has a
 * weight, every row has the plain penalty.
 */
public final class ReferenceLeastSquares implements LeastSquares {
  private final int rank;
  private final Cancellation cancellation;
  private final double[][] weights;
  private final double[][] targets;
  private final double[] userPenalties;
  private final double[] itemPenalties;
  private final double unitUserPenalty;
  private final double unitItemPenalty;
  private final LeastSquaresPlan plan;

  public ReferenceLeastSquares(
      LeastSquaresRequest request, GridShape shape, Cancellation cancellation) {
    this.rank = request.rank();
    this.cancellation = cancellation;
    this.weights = new double[shape.users()][shape.items()];
    this.targets = new double[shape.users()][shape.items()];
    double[] userWeights = new double[shape.users()];
    double[] itemWeights = new double[shape.items()];
    for (int user = 0; user < shape.users(); user++) {
      cancellation.check();
      for (int item = 0; item < shape.items(); item++) {
        weights[user][item] = request.weights().valueAt(user, item);
        targets[user][item] = request.targets().valueAt(user, item);
        userWeights[user] += weights[user][item];
        itemWeights[item] += weights[user][item];
      }
    }
    this.userPenalties =
        penalties(request.ridge().users(), request.ridge().exponent(), userWeights);
    this.itemPenalties =
        penalties(request.ridge().items(), request.ridge().exponent(), itemWeights);
    this.unitUserPenalty =
        unitPenalty(request.ridge().users(), request.ridge().exponent(), userWeights);
    this.unitItemPenalty =
        unitPenalty(request.ridge().items(), request.ridge().exponent(), itemWeights);
    this.plan = LeastSquaresPlan.dense("the reference visits every cell", shape.cells(), 0);
  }

  private static double[] penalties(double lambda, double exponent, double[] rowWeights) {
    double[] powers = Arrays.stream(rowWeights).map(sum -> Math.pow(sum, exponent)).toArray();
    double mean = Arrays.stream(powers).average().orElseThrow();
    return Arrays.stream(powers).map(power -> mean == 0 ? lambda : lambda * power / mean).toArray();
  }

  private static double unitPenalty(double lambda, double exponent, double[] rowWeights) {
    double mean =
        Arrays.stream(rowWeights).map(sum -> Math.pow(sum, exponent)).average().orElseThrow();
    return mean == 0 ? lambda : lambda / mean;
  }

  @Override
  public double unitPenalty(Side side) {
    return side == Side.USERS ? unitUserPenalty : unitItemPenalty;
  }

  @Override
  public LeastSquaresPlan plan() {
    return plan;
  }

  @Override
  public double solve(Side side, FactorModel factors) {
    GridShape shape = new GridShape(userPenalties.length, itemPenalties.length);
    if (factors.rank() != rank || !factors.shape().equals(shape)) {
      throw new IllegalArgumentException(
          String.format(
              "the problem has rank %d and %s, the model %d and %s",
              rank, shape, factors.rank(), factors.shape()));
    }
    FloatMatrix own = factors.side(side).writable();
    double[][] other = rows(factors.side(side.other()));
    for (int row = 0; row < own.rows(); row++) {
      cancellation.check();
      double[] solution = solveRow(side, row, other);
      for (int k = 0; k < rank; k++) {
        if (!Float.isFinite((float) solution[k])) {
          throw PecfException.badOption(
              "The equations of row %d have no finite solution in single precision. Choose smaller"
                  + " weights or targets, or a larger penalty.",
              row);
        }
        own.set(row, k, (float) solution[k]);
      }
    }
    return objective(factors);
  }

  private double[] solveRow(Side side, int row, double[][] other) {
    double[][] matrix = new double[rank][rank];
    double[] right = new double[rank];
    for (int j = 0; j < other.length; j++) {
      double weight = side == Side.USERS ? weights[row][j] : weights[j][row];
      double target = side == Side.USERS ? targets[row][j] : targets[j][row];
      for (int k = 0; k < rank; k++) {
        double weighted = weight * other[j][k];
        right[k] += weighted * target;
        for (int l = 0; l < rank; l++) {
          matrix[k][l] += weighted * other[j][l];
        }
      }
    }
    double penalty = penalties(side)[row];
    for (int k = 0; k < rank; k++) {
      matrix[k][k] += penalty / 2;
    }
    return penalty == 0 ? new double[rank] : GaussianElimination.solve(matrix, right);
  }

  /** Return the objective by its definition. */
  public double objective(FactorModel factors) {
    double[][] users = rows(factors.users());
    double[][] items = rows(factors.items());
    double sum = 0;
    for (int user = 0; user < users.length; user++) {
      cancellation.check();
      for (int item = 0; item < items.length; item++) {
        double error = targets[user][item] - dot(users[user], items[item]);
        sum += weights[user][item] * error * error;
      }
    }
    for (int user = 0; user < users.length; user++) {
      sum += userPenalties[user] / 2 * dot(users[user], users[user]);
    }
    for (int item = 0; item < items.length; item++) {
      sum += itemPenalties[item] / 2 * dot(items[item], items[item]);
    }
    return sum;
  }

  /** Return the penalty of every row of a side. */
  public double[] penalties(Side side) {
    return side == Side.USERS ? userPenalties : itemPenalties;
  }

  /** Return the weight of a cell. */
  public double weight(int user, int item) {
    return weights[user][item];
  }

  /** Return the target of a cell. */
  public double target(int user, int item) {
    return targets[user][item];
  }

  public static double[][] rows(FloatMatrix matrix) {
    double[][] rows = new double[matrix.rows()][matrix.columns()];
    for (int row = 0; row < matrix.rows(); row++) {
      for (int column = 0; column < matrix.columns(); column++) {
        rows[row][column] = matrix.get(row, column);
      }
    }
    return rows;
  }

  public static double dot(double[] left, double[] right) {
    double sum = 0;
    for (int k = 0; k < left.length; k++) {
      sum += left[k] * right[k];
    }
    return sum;
  }

  @Override
  public void close() {}
}
