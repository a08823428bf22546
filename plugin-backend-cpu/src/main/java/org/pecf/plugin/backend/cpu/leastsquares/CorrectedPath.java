package org.pecf.plugin.backend.cpu.leastsquares;

import java.util.List;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresPlan;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.Ridge;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.backend.base.field.ScoreCombination;
import org.pecf.backend.base.leastsquares.Background;
import org.pecf.backend.base.leastsquares.BackgroundSquares;
import org.pecf.backend.base.leastsquares.Penalties;
import org.pecf.plugin.backend.cpu.field.FieldProgram;
import org.pecf.plugin.backend.cpu.field.ScoreSlot;

/**
 * Least squares by a constant background, corrected at few exceptions: the equations of a row are
 * {@code b V'V + sum (w_ij - b) v_j v_j'} over its exceptions, so that the background costs one
 * Gramian per half-sweep.
 *
 * <p>Targets that contain scores are low-rank on the background: {@code sum_j f_ij v_j = F_i
 * (F'V)}.
 */
final class CorrectedPath implements LeastSquares {
  /** The rows of a task: a constant, so that bits do not depend on threads. */
  private static final int ROWS = 64;

  private final CpuContext context;
  private final int rank;
  private final Background background;
  private final Corrections corrections;
  private final List<ScoreCombination> scores;
  private final Penalties penalties;
  private final Ridge ridge;
  private final double totalSquares;
  private final LeastSquaresPlan plan;

  /**
   * Prepare a problem.
   *
   * @param corrections from now on owned by the path
   */
  CorrectedPath(
      CpuContext context,
      LeastSquaresRequest request,
      Background background,
      Corrections corrections,
      String reason) {
    this.context = context;
    this.rank = request.rank();
    this.background = background;
    this.corrections = corrections;
    this.scores =
        FieldProgram.of(background.targets()).slots().stream().map(ScoreSlot::combination).toList();
    GridShape shape = context.shape();
    this.penalties =
        background.penalties(
            request.ridge(), shape, corrections.excess(Side.USERS), corrections.excess(Side.ITEMS));
    this.ridge = request.ridge();
    this.totalSquares = background.weight() * backgroundSquares() + corrections.squares();
    this.plan =
        background.plan(
            reason, corrections.count(), shape, corrections.count() * Corrections.BYTES);
  }

  /** Return the sum of squared background targets, from the scores if they are kept. */
  private double backgroundSquares() {
    if (!scores.isEmpty() && scores.stream().allMatch(context.store()::keeps)) {
      return context.kernels().sums(List.of(CellField.square(background.targets())))[0];
    }
    return BackgroundSquares.of(
        background.constantTarget(), scores, context.shape().cells(), new FactorSums());
  }

  /** The products of factors, computed by all workers. */
  private final class FactorSums implements BackgroundSquares.FactorSums {
    @Override
    public double[] columnSums(FloatMatrix matrix) {
      return FactorProducts.columnSums(matrix);
    }

    @Override
    public double[] gramianProducts(List<BackgroundSquares.Pair> pairs) {
      double[] products = new double[pairs.size()];
      context
          .parallelism()
          .forEach(
              products.length,
              (index, number) -> {
                BackgroundSquares.Pair pair = pairs.get(index);
                products[index] =
                    FactorProducts.of(context.workers()[number])
                        .gramianProduct(pair.left(), pair.right());
              });
      return products;
    }
  }

  @Override
  public LeastSquaresPlan plan() {
    return plan;
  }

  @Override
  public double unitPenalty(Side side) {
    return penalties.unit(side);
  }

  @Override
  public double solve(Side side, FactorModel factors) {
    FloatMatrix solved = factors.side(side);
    FloatMatrix fixed = factors.side(side.other());
    double[] lambda = penalties.of(side);
    int tasks = (solved.rows() + ROWS - 1) / ROWS;
    double[] explained = new double[tasks];
    try (SharedEquations shared =
        SharedEquations.of(
            context,
            background,
            scores,
            side,
            fixed,
            side == Side.USERS ? ridge.users() : ridge.items(),
            background.weight() > 0 && SolverChoice.whitens(rank))) {
      CorrectedRows rows =
          new CorrectedRows(side, corrections.of(side), shared, fixed, solved, lambda);
      context
          .parallelism()
          .forEach(
              tasks,
              (task, number) -> {
                int first = task * ROWS;
                int count = Math.min(ROWS, solved.rows() - first);
                explained[task] = rows.solve(context.workers()[number], first, count);
              });
    }
    double objective = totalSquares + penalties.penalty(side.other(), factors);
    for (double part : explained) {
      objective -= part;
    }
    return objective;
  }

  @Override
  public void close() {
    corrections.close();
  }
}
