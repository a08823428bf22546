package org.pecf.backend.cpu.leastsquares;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresPlan;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.backend.cpu.algebra.NativeFloats;
import org.pecf.backend.cpu.algebra.Worker;
import org.pecf.backend.cpu.field.FieldProgram;
import org.pecf.backend.cpu.field.ScoreSlot;

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

  /** How many rows of the other side are multiplied by an inverse at once. */
  private static final int SOLVED = 512;

  private final Setting setting;
  private final int rank;
  private final Background background;
  private final Corrections corrections;
  private final List<ScoreSlot> lowRank;
  private final Penalties penalties;
  private final boolean sharedPenalty;
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
        request.ridge().exponent() == 0
            ? Penalties.equal(request.ridge(), shape.users(), shape.items())
            : Penalties.scaled(
                request.ridge(),
                rowSums(corrections.excess(Side.USERS), shape.items()),
                rowSums(corrections.excess(Side.ITEMS), shape.users()));
    // Without any background M is a multiple of the identity: nothing to gain by sharing it.
    this.sharedPenalty = request.ridge().exponent() == 0 && background.weight() > 0;
    this.totalSquares = background.weight() * backgroundSquares() + corrections.squares();
    this.plan =
        new LeastSquaresPlan(
            ComputationPath.CORRECTED,
            reason,
            corrections.count(),
            shape.cells(),
            background.scoreBound(),
            background.weightError(),
            corrections.count() * Corrections.BYTES);
  }

  private double[] rowSums(double[] excess, int others) {
    return Arrays.stream(excess)
        .map(sum -> Math.max(0, sum + background.weight() * others))
        .toArray();
  }

  /** Return the sum of squared background targets over all cells, by Gramians. */
  private double backgroundSquares() {
    double t = background.constantTarget();
    double squares = t * t * setting.shape().cells();
    for (ScoreSlot slot : lowRank) {
      int models = slot.models().size();
      double[][] users = new double[models][];
      double[][] items = new double[models][];
      for (int k = 0; k < models; k++) {
        users[k] = columnSums(slot.models().get(k).users());
        items[k] = columnSums(slot.models().get(k).items());
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
                        * gramianProduct(
                            setting.workers()[number], slot.models().get(a), slot.models().get(b));
              });
      squares += Arrays.stream(parts).sum();
    }
    return squares;
  }

  /** Return {@code sum_ij (u_i . v_j) (x_i . y_j)} = the inner product of U'X and V'Y. */
  private static double gramianProduct(Worker worker, FactorModel left, FactorModel right) {
    int size = left.rank() * right.rank();
    NativeFloats users = worker.offHeap("gramian.users", size);
    NativeFloats items = worker.offHeap("gramian.items", size);
    cross(worker, left.users(), right.users(), 1, users);
    cross(worker, left.items(), right.items(), 1, items);
    double product = 0;
    for (int k = 0; k < size; k++) {
      product += (double) users.get(k) * items.get(k);
    }
    return product;
  }

  /** Compute {@code target = scale left' right}. */
  private static void cross(
      Worker worker, FloatMatrix left, FloatMatrix right, float scale, NativeFloats target) {
    worker
        .algebra()
        .multiply(
            true,
            false,
            left.columns(),
            right.columns(),
            left.rows(),
            scale,
            left.rowAddress(0),
            left.columns(),
            right.rowAddress(0),
            right.columns(),
            0,
            target.address(0),
            right.columns());
  }

  private static double[] columnSums(FloatMatrix matrix) {
    double[] sums = new double[matrix.columns()];
    float[] row = new float[matrix.columns()];
    for (int i = 0; i < matrix.rows(); i++) {
      matrix.readRow(i, row);
      for (int k = 0; k < row.length; k++) {
        sums[k] += row[k];
      }
    }
    return sums;
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
    float[] other = new float[Math.multiplyExact(fixed.rows(), rank)];
    fixed.readRows(0, fixed.rows(), other);
    int tasks = (solved.rows() + ROWS - 1) / ROWS;
    double[] explained = new double[tasks];
    try (Shared shared = new Shared()) {
      shared.prepare(side, fixed);
      setting
          .parallelism()
          .forEach(
              tasks,
              (task, number) -> {
                int first = task * ROWS;
                int rows = Math.min(ROWS, solved.rows() - first);
                explained[task] =
                    solveRows(setting.workers()[number], side, first, rows, shared, other, solved);
              });
    }
    double objective = totalSquares + penalties.penalty(side.other(), factors);
    for (double part : explained) {
      objective -= part;
    }
    return objective;
  }

  /** What all rows of a half-sweep share. */
  private final class Shared implements AutoCloseable {
    /** b V'V. */
    private NativeFloats gramian;

    /** The part of the right-hand side that constant targets make: b t sum_j v_j. */
    private float[] pull;

    /** For each model in the targets, b c F'V: what maps its factors to right-hand sides. */
    private NativeFloats[] maps = {};

    private FloatMatrix[] mapped = {};

    /** M^-1, or null if rows do not share M or it cannot be inverted. */
    private NativeFloats inverse;

    /** V M^-1, row after row, or null. */
    private float[] solved;

    /** Compute everything; what was allocated when this fails is freed by {@link #close}. */
    void prepare(Side side, FloatMatrix fixed) {
      Worker worker = setting.workers()[0];
      int count = lowRank.stream().mapToInt(slot -> slot.models().size()).sum();
      maps = new NativeFloats[count];
      mapped = new FloatMatrix[count];
      gramian = NativeFloats.allocate(setting.allocator(), (long) rank * rank);
      float b = (float) background.weight();
      cross(worker, fixed, fixed, b, gramian);
      pull = new float[rank];
      if (background.constantTarget() != 0) {
        double[] sums = columnSums(fixed);
        for (int k = 0; k < rank; k++) {
          pull[k] = (float) (background.weight() * background.constantTarget() * sums[k]);
        }
      }
      int at = 0;
      for (ScoreSlot slot : lowRank) {
        for (int k = 0; k < slot.models().size(); k++) {
          FactorModel model = slot.models().get(k);
          maps[at] = NativeFloats.allocate(setting.allocator(), (long) model.rank() * rank);
          cross(worker, model.side(side.other()), fixed, b * slot.coefficient(k), maps[at]);
          mapped[at++] = model.side(side);
        }
      }
      inverse = sharedPenalty ? invert(worker, penalties.of(side)[0] / 2) : null;
      solved = inverse == null ? null : solveAll(fixed);
    }

    /** Return the inverse of the Gramian plus a penalty, or null if there is none. */
    private NativeFloats invert(Worker worker, double penalty) {
      NativeFloats matrix = NativeFloats.allocate(setting.allocator(), (long) rank * rank);
      NativeFloats.copy(gramian.address(0), matrix.address(0), (long) rank * rank);
      addToDiagonal(matrix, penalty);
      if (!worker.algebra().invert(rank, matrix.address(0))) {
        matrix.close();
        return null;
      }
      for (int row = 0; row < rank; row++) {
        for (int column = 0; column < row; column++) {
          matrix.set((long) row * rank + column, matrix.get((long) column * rank + row));
        }
      }
      return matrix;
    }

    private float[] solveAll(FloatMatrix fixed) {
      float[] all = new float[Math.multiplyExact(fixed.rows(), rank)];
      setting
          .parallelism()
          .forEach(
              (fixed.rows() + SOLVED - 1) / SOLVED,
              (strip, number) -> {
                int first = strip * SOLVED;
                int rows = Math.min(SOLVED, fixed.rows() - first);
                Worker worker = setting.workers()[number];
                NativeFloats product = worker.offHeap("corrected.solved", (long) SOLVED * rank);
                times(worker, fixed.rowAddress(first), rows, product);
                product.read(0, all, first * rank, rows * rank);
              });
      return all;
    }

    /** Multiply rows by M^-1. */
    void times(Worker worker, long rowsAddress, int rows, NativeFloats product) {
      worker
          .algebra()
          .multiply(
              false,
              false,
              rows,
              rank,
              rank,
              1,
              rowsAddress,
              rank,
              inverse.address(0),
              rank,
              0,
              product.address(0),
              rank);
    }

    /** Compute the right-hand sides that the background makes for some rows. */
    NativeFloats rights(Worker worker, int first, int rows) {
      NativeFloats rights = worker.offHeap("corrected.rights", (long) ROWS * rank);
      for (int r = 0; r < rows; r++) {
        rights.write((long) r * rank, pull, 0, rank);
      }
      for (int k = 0; k < maps.length; k++) {
        int inner = mapped[k].columns();
        worker
            .algebra()
            .multiply(
                false,
                false,
                rows,
                rank,
                inner,
                1,
                mapped[k].rowAddress(first),
                inner,
                maps[k].address(0),
                rank,
                1,
                rights.address(0),
                rank);
      }
      return rights;
    }

    @Override
    public void close() {
      if (gramian != null) {
        gramian.close();
      }
      for (NativeFloats map : maps) {
        if (map != null) {
          map.close();
        }
      }
      if (inverse != null) {
        inverse.close();
      }
    }
  }

  private double solveRows(
      Worker worker,
      Side side,
      int first,
      int rows,
      Shared shared,
      float[] other,
      FloatMatrix solved) {
    Corrections.View view = corrections.of(side);
    NativeFloats rights = shared.rights(worker, first, rows);
    float[] right = worker.heap("corrected.right", rank);
    float[] solution = worker.heap("corrected.solution", rank);
    boolean plainRights = lowRank.isEmpty() && background.constantTarget() == 0;
    NativeFloats starts = null;
    if (shared.inverse != null && !plainRights) {
      starts = worker.offHeap("corrected.starts", (long) ROWS * rank);
      shared.times(worker, rights.address(0), rows, starts);
    }
    double[] lambda = penalties.of(side);
    double explained = 0;
    for (int r = 0; r < rows; r++) {
      int row = first + r;
      rights.read((long) r * rank, right, 0, rank);
      double product = Double.NaN;
      if (shared.inverse != null && FewExceptions.pays(view.count(row), rank)) {
        if (starts == null) {
          Arrays.fill(solution, 0, rank, 0);
        } else {
          starts.read((long) r * rank, solution, 0, rank);
        }
        product = solveFew(worker, view, row, shared, other, right, solution);
        if (!Double.isFinite(product)) {
          rights.read((long) r * rank, right, 0, rank);
        }
      }
      if (!Double.isFinite(product)) {
        Panel panel = panel(worker, view, row, other, right);
        product =
            RowSolver.solve(
                worker,
                side,
                row,
                rank,
                lambda[row],
                matrix -> panel.assemble(worker, shared.gramian, lambda[row] / 2, matrix),
                right,
                solution);
      }
      explained += product;
      solved.writeRows(row, 1, solution);
    }
    return explained;
  }

  /**
   * Solve a row with few exceptions.
   *
   * @param right the background's right-hand side; receives the whole one. Modified.
   * @param solution M^-1 times the former; receives the solution. Modified.
   * @return right . solution, or NaN if the row must be solved directly
   */
  private double solveFew(
      Worker worker,
      Corrections.View view,
      int row,
      Shared shared,
      float[] other,
      float[] right,
      float[] solution) {
    int count = view.count(row);
    int[] others = new int[count];
    float[] excess = worker.heap("corrected.excess", count);
    float[] pull = worker.heap("corrected.pull", count);
    view.read(row, others, excess, pull);
    float[] factors = worker.heap("few.factors", count * rank);
    float[] inverted = worker.heap("few.solved", count * rank);
    for (int p = 0; p < count; p++) {
      int from = others[p] * rank;
      int to = p * rank;
      float weight = pull[p];
      for (int k = 0; k < rank; k++) {
        float factor = other[from + k];
        float solved = shared.solved[from + k];
        factors[to + k] = factor;
        inverted[to + k] = solved;
        right[k] += weight * factor;
        solution[k] += weight * solved;
      }
    }
    if (!FewExceptions.solve(
        worker, rank, new FewExceptions.Row(count, excess, factors, inverted), solution)) {
      return Double.NaN;
    }
    double product = 0;
    for (int k = 0; k < rank; k++) {
      product += (double) right[k] * solution[k];
    }
    return product;
  }

  /**
   * Gather the factors of a row's exceptions, scaled by the roots of their excess weights: those
   * above the background first, those below it after them.
   */
  private Panel panel(Worker worker, Corrections.View view, int row, float[] other, float[] right) {
    int count = view.count(row);
    int[] others = new int[count];
    float[] excess = worker.heap("corrected.excess", count);
    float[] pull = worker.heap("corrected.pull", count);
    view.read(row, others, excess, pull);
    float[] gathered = worker.heap("corrected.gathered", count * rank);
    int above = 0;
    int below = count;
    for (int p = 0; p < count; p++) {
      float root = (float) Math.sqrt(Math.abs(excess[p]));
      int to = (excess[p] >= 0 ? above++ : --below) * rank;
      int from = others[p] * rank;
      float weight = pull[p];
      for (int k = 0; k < rank; k++) {
        float factor = other[from + k];
        gathered[to + k] = root * factor;
        right[k] += weight * factor;
      }
    }
    NativeFloats rows = worker.offHeap("corrected.panel", (long) Math.max(1, count) * rank);
    rows.write(0, gathered, 0, count * rank);
    return new Panel(rows, above, count - above);
  }

  private final class Panel {
    private final NativeFloats rows;
    private final int above;
    private final int below;

    Panel(NativeFloats rows, int above, int below) {
      this.rows = rows;
      this.above = above;
      this.below = below;
    }

    void assemble(Worker worker, NativeFloats gramian, double penalty, NativeFloats matrix) {
      NativeFloats.copy(gramian.address(0), matrix.address(0), (long) rank * rank);
      if (above > 0) {
        worker.algebra().addOuterProducts(rank, above, 1, rows.address(0), matrix.address(0));
      }
      if (below > 0) {
        worker
            .algebra()
            .addOuterProducts(
                rank, below, -1, rows.address((long) above * rank), matrix.address(0));
      }
      addToDiagonal(matrix, penalty);
    }
  }

  private void addToDiagonal(NativeFloats matrix, double penalty) {
    for (int k = 0; k < rank; k++) {
      long at = (long) k * rank + k;
      matrix.set(at, matrix.get(at) + (float) penalty);
    }
  }

  @Override
  public void close() {
    corrections.close();
  }
}
