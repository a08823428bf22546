package org.pecf.plugin.backend.cuda.leastsquares;

import java.util.List;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresPlan;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.backend.base.leastsquares.Penalties;
import org.pecf.plugin.backend.cuda.device.Device;
import org.pecf.plugin.backend.cuda.device.DeviceMemory;
import org.pecf.plugin.backend.cuda.device.Lane;
import org.pecf.plugin.backend.cuda.device.Lane.Grid;
import org.pecf.plugin.backend.cuda.device.Lane.Operand;
import org.pecf.plugin.backend.cuda.device.ResidentFactors;
import org.pecf.plugin.backend.cuda.device.Scratch;
import org.pecf.plugin.backend.cuda.field.CudaFieldKernels;
import org.pecf.plugin.backend.cuda.field.FieldEvaluator;
import org.pecf.plugin.backend.cuda.field.FieldProgram;
import org.pecf.plugin.backend.cuda.field.Residents;
import org.pecf.plugin.backend.cuda.field.Window;

/**
 * Visit every cell: the normal equations of a tile of rows are one matrix product {@code A = W K},
 * where row j of K holds the upper triangle of v_j v_j', and {@code b = (W o T) V}.
 *
 * <p>Weights are evaluated anew for each half-sweep, next to the product that uses them: that takes
 * a fraction of its time, and no memory beyond a tile.
 */
final class DensePath implements LeastSquares {
  /**
   * How many rows of the other side are multiplied at once: a constant, so that sums are taken in
   * the same order whatever the memory.
   */
  private static final int PANEL = 512;

  private final SessionContext context;
  private final Device device;
  private final int rank;
  private final Scratch scratch;
  private final FieldEvaluator evaluator;
  private final ResidentFactors residents;
  private final Penalties penalties;
  private final double totalSquares;
  private final LeastSquaresPlan plan;

  /** Prepare a problem. */
  DensePath(SessionContext context, Device device, LeastSquaresRequest request, String reason) {
    this.context = context;
    this.device = device;
    this.rank = request.rank();
    GridShape shape = context.shape();
    this.scratch = new Scratch();
    ResidentFactors factors = null;
    try {
      Lane lane = device.lane(0);
      Residents copies = new Residents(lane, scratch);
      this.evaluator =
          new FieldEvaluator(
              context,
              lane,
              scratch,
              copies,
              FieldProgram.ofProduct(request.weights(), request.targets()));
      Totals totals = totals(request);
      this.totalSquares = totals.squares();
      this.penalties =
          request.ridge().exponent() == 0
              ? Penalties.equal(request.ridge(), shape.users(), shape.items())
              : Penalties.scaled(request.ridge(), totals.userSums(), totals.itemSums());
      factors = new ResidentFactors(device, shape, rank);
      this.residents = factors;
    } catch (RuntimeException | Error e) {
      if (factors != null) {
        factors.close();
      }
      scratch.close();
      throw e;
    }
    this.plan =
        new LeastSquaresPlan(
            ComputationPath.DENSE,
            reason,
            shape.cells(),
            shape.cells(),
            0,
            0,
            FloatMatrix.bytes(shape.users(), rank) + FloatMatrix.bytes(shape.items(), rank));
  }

  /** Hold sums over the cells: w t^2 over all, w over the rows and columns. */
  private record Totals(double squares, double[] userSums, double[] itemSums) {}

  private Totals totals(LeastSquaresRequest request) {
    GridShape shape = context.shape();
    FieldProgram program = FieldProgram.of(List.of(request.weights(), request.targets()));
    return device.inTiles(
        "weights of " + shape.users() + " x " + shape.items() + " cells",
        CudaFieldKernels.usefulRows(shape.users(), shape.items()),
        1,
        0,
        FieldEvaluator.bytes(program, new Window(0, 1, 0, shape.items())),
        rows -> device.inScratch(working -> totals(working, program, rows)));
  }

  /** On one lane, so that columns are summed from the first tile to the last. */
  private Totals totals(Scratch working, FieldProgram program, int rows) {
    GridShape shape = context.shape();
    Lane lane = device.lane(0);
    FieldEvaluator fields =
        new FieldEvaluator(context, lane, working, new Residents(lane, working), program);
    Window largest = new Window(0, rows, 0, shape.items());
    FieldEvaluator.Buffers buffers = fields.buffers(working, largest);
    DeviceMemory rowSquares = working.doubles(rows);
    DeviceMemory rowSums = working.doubles(rows);
    DeviceMemory columnSums = working.doubles(shape.items());
    lane.clear(columnSums, 2L * shape.items());
    double squares = 0;
    double[] userSums = new double[shape.users()];
    for (int first = 0; first < shape.users(); first += rows) {
      context.run().cancellation().check();
      Window window = new Window(first, Math.min(rows, shape.users() - first), 0, shape.items());
      fields.evaluate(lane, buffers, window);
      long weights = buffers.output(0, window.cells());
      long targets = buffers.output(1, window.cells());
      sumRows(lane, weights, targets, window, rowSquares);
      sumRows(lane, weights, 0, window, rowSums);
      lane.launch(
          "sum_columns",
          Grid.elements(window.items()),
          0,
          weights,
          window.users(),
          window.items(),
          columnSums.address());
      double[] found = new double[window.users()];
      lane.download(rowSquares, found);
      for (double square : found) {
        squares += square;
      }
      lane.download(rowSums, found);
      System.arraycopy(found, 0, userSums, first, found.length);
    }
    double[] itemSums = new double[shape.items()];
    lane.download(columnSums, itemSums);
    return new Totals(squares, userSums, itemSums);
  }

  private static void sumRows(
      Lane lane, long values, long squared, Window window, DeviceMemory sums) {
    lane.launch(
        "sum_rows",
        Grid.rows(window.users()),
        0,
        values,
        squared,
        window.users(),
        window.items(),
        sums.address());
  }

  @Override
  public LeastSquaresPlan plan() {
    return plan;
  }

  @Override
  public double solve(Side side, FactorModel factors) {
    int others = factors.side(side.other()).rows();
    int widest = Math.min(PANEL, others);
    double explained =
        HalfSweep.solve(
            context,
            device,
            residents,
            side,
            factors,
            penalties,
            new HalfSweep.Assembly() {
              @Override
              public Tile tile(Scratch working, Lane lane, int rows, DeviceMemory fixed) {
                DeviceMemory panel = working.floats(widest * Systems.triangle(rank));
                FieldEvaluator.Buffers buffers =
                    evaluator.buffers(working, window(side, 0, rows, 0, widest));
                return (on, first, count, systems) ->
                    assemble(on, side, first, count, others, fixed, panel, buffers, systems);
              }

              @Override
              public long rowBytes() {
                return FieldEvaluator.bytes(evaluator.program(), window(side, 0, 32, 0, widest))
                    / 32;
              }

              @Override
              public long fixedBytes() {
                return widest * Systems.triangle(rank) * Float.BYTES;
              }
            });
    return totalSquares + penalties.penalty(side.other(), factors) - explained;
  }

  private static Window window(Side side, int first, int rows, int start, int width) {
    return side == Side.USERS
        ? new Window(first, rows, start, width)
        : new Window(start, width, first, rows);
  }

  private void assemble(
      Lane lane,
      Side side,
      int first,
      int count,
      int others,
      DeviceMemory fixed,
      DeviceMemory panel,
      FieldEvaluator.Buffers buffers,
      Systems systems) {
    int triangle = Math.toIntExact(Systems.triangle(rank));
    boolean users = side == Side.USERS;
    for (int start = 0; start < others; start += PANEL) {
      context.run().cancellation().check();
      int width = Math.min(PANEL, others - start);
      long factors = fixed.address(FloatMatrix.bytes(start, rank));
      lane.launch(
          "khatri_rao",
          Grid.rows(width),
          rank * Float.BYTES,
          factors,
          width,
          rank,
          panel.address());
      Window window = window(side, first, count, start, width);
      evaluator.evaluate(lane, buffers, window);
      float beta = start == 0 ? 0 : 1;
      lane.multiply(
          !users,
          false,
          count,
          triangle,
          width,
          1,
          new Operand(buffers.output(0, window.cells()), window.items()),
          new Operand(panel.address(), triangle),
          beta,
          new Operand(systems.equations(), triangle));
      lane.multiply(
          !users,
          false,
          count,
          rank,
          width,
          1,
          new Operand(buffers.output(1, window.cells()), window.items()),
          new Operand(factors, rank),
          beta,
          new Operand(systems.rights().address(), rank));
    }
  }

  @Override
  public void close() {
    residents.close();
    scratch.close();
  }
}
