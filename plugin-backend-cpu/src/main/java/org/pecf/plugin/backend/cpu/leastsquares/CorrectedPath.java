package org.pecf.plugin.backend.cpu.leastsquares;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresPlan;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.Ridge;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.backend.algebra.FloatSlice;
import org.pecf.backend.algebra.MatrixSlice;
import org.pecf.backend.algebra.OffHeapFloats;
import org.pecf.backend.field.ScoreCombination;
import org.pecf.backend.leastsquares.Background;
import org.pecf.backend.leastsquares.CorrectedRows;
import org.pecf.backend.leastsquares.EquationBasis;
import org.pecf.backend.leastsquares.Gramians;
import org.pecf.backend.leastsquares.Penalties;
import org.pecf.backend.leastsquares.SharedEquations;
import org.pecf.plugin.backend.cpu.field.FieldProgram;
import org.pecf.plugin.backend.cpu.field.ScoreSlot;

/**
 * Least squares by a constant background, corrected at few exceptions: the equations of a row are
 * {@code b V'V + sum (w_ij - b) v_j v_j'} over its exceptions, so that the background costs one
 * Gramian per half-sweep.
 *
 * <p>Where zeros weigh by their users and items, factors are scaled so that the background is a
 * constant.
 *
 * <p>Targets that contain scores are low-rank on the background: {@code sum_j f_ij v_j = F_i
 * (F'V)}.
 */
final class CorrectedPath implements LeastSquares {
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
    double squares = context.kernels().sums(List.of(CellField.square(background.targets())))[0];
    this.totalSquares = background.weight() * squares + corrections.squares();
    this.plan =
        background.plan(
            reason,
            corrections.count(),
            corrections.excess(Side.USERS),
            shape,
            corrections.count() * Corrections.BYTES);
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
    FloatMatrix solved = penalties.solved(side, factors, rank);
    if (!background.differs()) {
      return solve(side, factors, factors.side(side.other()), penalties.of(side));
    }
    double[] lambda = penalties.of(side).clone();
    // The solution of a row without weight is zero, whatever its penalty.
    Arrays.setAll(
        lambda,
        row -> {
          double factor = background.factor(side, row);
          return factor == 0 ? meanPenalty(side) : lambda[row] / factor;
        });
    try (FloatMatrix fixed =
        FloatMatrix.allocate(context.allocator(), factors.side(side.other()).rows(), rank)) {
      scale(
          factors.side(side.other()),
          fixed,
          row -> Math.sqrt(background.factor(side.other(), row)));
      double objective = solve(side, factors, fixed, lambda);
      scale(
          solved,
          solved,
          row -> {
            double factor = background.factor(side, row);
            return factor == 0 ? 0 : 1 / Math.sqrt(factor);
          });
      return objective;
    }
  }

  /** Write the rows of a matrix, each multiplied by a number, to a matrix, maybe the same. */
  private static void scale(FloatMatrix from, FloatMatrix to, IntToDoubleFunction factors) {
    float[] values = new float[from.columns()];
    for (int row = 0; row < from.rows(); row++) {
      from.readRow(row, values);
      double factor = factors.applyAsDouble(row);
      for (int k = 0; k < values.length; k++) {
        values[k] = (float) (factor * values[k]);
      }
      to.writeRows(row, 1, values);
    }
  }

  private double meanPenalty(Side side) {
    return side == Side.USERS ? ridge.users() : ridge.items();
  }

  /**
   * Solve one side.
   *
   * @param fixed the other side. Not modified.
   * @param lambda the penalty of each row. Not modified.
   */
  private double solve(Side side, FactorModel factors, FloatMatrix fixed, double[] lambda) {
    double[] triangle = Gramians.triangle(context.parallelism(), context.workers(), fixed);
    EquationBasis basis =
        EquationBasis.of(
            context.allocator(),
            context.workers()[0],
            rank,
            triangle,
            background.weight(),
            meanPenalty(side));
    double[] explained;
    try (SharedEquations shared = new SharedEquations(context.allocator(), basis);
        BackgroundRights rights = BackgroundRights.of(context, background, scores, side, fixed);
        OffHeapFloats whitened = whitened(shared, fixed)) {
      FloatSlice others =
          shared.whitens()
              ? whitened.slice(0, (long) fixed.rows() * shared.width())
              : FloatSlice.rows(fixed, 0, fixed.rows());
      CorrectedRows rows =
          new CorrectedRows(
              side, corrections.of(side), shared, rights, others, factors.side(side), lambda);
      explained = new double[rows.tasks()];
      context
          .parallelism()
          .forEach(
              explained.length,
              (task, number) -> explained[task] = rows.solve(context.workers()[number], task));
    }
    double objective = totalSquares + penalties.penalty(side.other(), factors);
    for (double part : explained) {
      objective -= part;
    }
    return objective;
  }

  /** Transform the rows of the other side, if rows are whitened. */
  private OffHeapFloats whitened(SharedEquations shared, FloatMatrix fixed) {
    if (!shared.whitens()) {
      return OffHeapFloats.allocate(context.allocator(), 0);
    }
    int width = shared.width();
    OffHeapFloats whitened =
        OffHeapFloats.allocate(context.allocator(), (long) fixed.rows() * width);
    context
        .parallelism()
        .forEach(
            (fixed.rows() + Gramians.GROUP - 1) / Gramians.GROUP,
            (group, number) -> {
              int first = group * Gramians.GROUP;
              int count = Math.min(Gramians.GROUP, fixed.rows() - first);
              shared.whitenGroup(
                  context.workers()[number],
                  MatrixSlice.rows(fixed, first, count),
                  whitened.slice((long) first * width, (long) count * width));
            });
    return whitened;
  }

  @Override
  public void close() {
    corrections.close();
  }
}
