package org.pecf.plugin.backend.cpu.leastsquares;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresPlan;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.backend.base.leastsquares.Background;
import org.pecf.backend.base.leastsquares.Penalties;
import org.pecf.plugin.backend.cpu.field.FieldProgram;
import org.pecf.plugin.backend.cpu.field.ScoreSlot;

/**
 * Correct a constant background at few exceptions: the equations of a row are {@code b V'V + sum
 * (w_ij - b) v_j v_j'} over its exceptions, so that the background costs one Gramian a half-sweep.
 *
 * <p>Targets that contain scores are low-rank on the background: {@code sum_j f_ij v_j = F_i
 * (F'V)}.
 */
final class CorrectedPath implements LeastSquares {
  /** How many rows make a task: a constant, so that bits do not depend on threads. */
  private static final int ROWS = 64;

  private final Setting setting;
  private final int rank;
  private final Background background;
  private final Corrections corrections;
  private final List<ScoreSlot> lowRank;
  private final Penalties penalties;
  private final boolean samePenalty;
  private final double totalSquares;
  private final LeastSquaresPlan plan;

  /**
   * Prepare a problem.
   *
   * @param corrections from now on owned by the path
   */
  CorrectedPath(
      Setting setting,
      LeastSquaresRequest request,
      Background background,
      Corrections corrections,
      String reason) {
    this.setting = setting;
    this.rank = request.rank();
    this.background = background;
    this.corrections = corrections;
    this.lowRank = FieldProgram.of(background.targets()).slots();
    GridShape shape = setting.shape();
    this.penalties =
        background.penalties(
            request.ridge(), shape, corrections.excess(Side.USERS), corrections.excess(Side.ITEMS));
    this.samePenalty = request.ridge().exponent() == 0;
    this.totalSquares = background.weight() * backgroundSquares() + corrections.squares();
    this.plan =
        background.plan(
            reason, corrections.count(), shape, corrections.count() * Corrections.BYTES);
  }

  /**
   * Return the sum of squared background targets over all cells: by Gramians, which take a time
   * that grows with the square of the number of models, or from the scores if they are kept.
   */
  private double backgroundSquares() {
    if (!lowRank.isEmpty() && lowRank.stream().allMatch(setting.store()::keeps)) {
      return setting.kernels().sums(List.of(CellField.square(background.targets())))[0];
    }
    double t = background.constantTarget();
    double squares = t * t * setting.shape().cells();
    for (ScoreSlot slot : lowRank) {
      int models = slot.models().size();
      double[][] users = new double[models][];
      double[][] items = new double[models][];
      for (int k = 0; k < models; k++) {
        users[k] = Products.columnSums(slot.models().get(k).users());
        items[k] = Products.columnSums(slot.models().get(k).items());
        squares += 2 * t * slot.coefficient(k) * dot(users[k], items[k]);
      }
      int[][] pairs =
          IntStream.range(0, models)
              .boxed()
              .flatMap(a -> IntStream.rangeClosed(0, a).mapToObj(b -> new int[] {a, b}))
              .toArray(int[][]::new);
      double[] parts = new double[pairs.length];
      setting
          .parallelism()
          .forEach(
              pairs.length,
              (pair, number) -> {
                int a = pairs[pair][0];
                int b = pairs[pair][1];
                parts[pair] =
                    (a == b ? 1.0 : 2.0)
                        * slot.coefficient(a)
                        * slot.coefficient(b)
                        * Products.gramianProduct(
                            setting.workers()[number], slot.models().get(a), slot.models().get(b));
              });
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

  @Override
  public LeastSquaresPlan plan() {
    return plan;
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
            setting,
            background,
            lowRank,
            side,
            fixed,
            samePenalty ? lambda[0] / 2 : 0,
            samePenalty && background.weight() > 0 && WayChoice.whitens(rank))) {
      CorrectedRows rows =
          new CorrectedRows(
              side, corrections.of(side), shared, fixed, solved, samePenalty ? null : lambda);
      setting
          .parallelism()
          .forEach(
              tasks,
              (task, number) -> {
                int first = task * ROWS;
                int count = Math.min(ROWS, solved.rows() - first);
                explained[task] = rows.solve(setting.workers()[number], first, count);
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
