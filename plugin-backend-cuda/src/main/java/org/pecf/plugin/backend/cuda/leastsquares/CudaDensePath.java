package org.pecf.plugin.backend.cuda.leastsquares;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresPlan;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.backend.field.Window;
import org.pecf.backend.leastsquares.Penalties;
import org.pecf.plugin.backend.cuda.device.Device;
import org.pecf.plugin.backend.cuda.device.DeviceMatrix;
import org.pecf.plugin.backend.cuda.device.DeviceMemory;
import org.pecf.plugin.backend.cuda.device.DeviceSlice;
import org.pecf.plugin.backend.cuda.device.DeviceStream;
import org.pecf.plugin.backend.cuda.device.LaunchGrid;
import org.pecf.plugin.backend.cuda.device.Scratch;
import org.pecf.plugin.backend.cuda.field.CudaFieldProgram;
import org.pecf.plugin.backend.cuda.field.DeviceCopies;
import org.pecf.plugin.backend.cuda.field.FieldEvaluator;

/**
 * Least squares over every cell: the normal equations of a tile of rows are one matrix product
 * {@code A = W K}, where row j of K holds the upper triangle of v_j v_j', and {@code b = (W o T)
 * V}.
 *
 * <p>Weights are evaluated in every half-sweep, next to the product that uses them: that takes a
 * fraction of its time, and no memory beyond a tile.
 */
final class CudaDensePath implements LeastSquares {
  private final SessionContext context;
  private final Device device;
  private final int rank;
  private final Scratch scratch;
  private final FieldEvaluator evaluator;
  private final Penalties penalties;
  private final CudaHalfSweep<PanelMemory> halfSweep;
  private final double totalSquares;
  private final LeastSquaresPlan plan;

  /** Prepare a problem. */
  CudaDensePath(SessionContext context, Device device, LeastSquaresRequest request, String reason) {
    this.context = context;
    this.device = device;
    this.rank = request.rank();
    GridShape shape = context.shape();
    this.scratch = new Scratch();
    try {
      DeviceStream stream = device.stream(0);
      DeviceCopies copies = new DeviceCopies(device, scratch);
      this.evaluator =
          new FieldEvaluator(
              context,
              stream,
              scratch,
              copies,
              CudaFieldProgram.ofProduct(request.weights(), request.targets()));
      Totals totals = totals(request);
      this.totalSquares = totals.squares();
      this.penalties =
          request.ridge().exponent() == 0
              ? Penalties.equal(request.ridge(), shape.users(), shape.items())
              : Penalties.scaled(request.ridge(), totals.userSums(), totals.itemSums());
      this.halfSweep = new CudaHalfSweep<>(context, device, rank, penalties, new Panels());
    } catch (RuntimeException | Error e) {
      scratch.close();
      throw e;
    }
    this.plan =
        LeastSquaresPlan.dense(
            reason,
            shape.cells(),
            FloatMatrix.bytes(shape.users(), rank) + FloatMatrix.bytes(shape.items(), rank));
  }

  /** Sums over the cells: w t^2 over all, w over the rows and columns. */
  private record Totals(double squares, double[] userSums, double[] itemSums) {}

  private Totals totals(LeastSquaresRequest request) {
    GridShape shape = context.shape();
    CudaFieldProgram program = CudaFieldProgram.of(List.of(request.weights(), request.targets()));
    return device.inTiles(
        "weights of " + shape.users() + " x " + shape.items() + " cells",
        device.tiles().fieldRows(shape.users(), shape.items()),
        1,
        0,
        program.bytes(new Window(0, 1, 0, shape.items())),
        rows -> device.inScratch(working -> totals(working, program, rows)));
  }

  /** On one stream, so that columns are summed from the first tile to the last. */
  private Totals totals(Scratch working, CudaFieldProgram program, int rows) {
    GridShape shape = context.shape();
    DeviceStream stream = device.stream(0);
    FieldEvaluator fields =
        new FieldEvaluator(context, stream, working, new DeviceCopies(device, working), program);
    Window largest = new Window(0, rows, 0, shape.items());
    FieldEvaluator.Buffers buffers = fields.buffers(working, largest);
    DeviceMemory rowSquares = working.doubles(rows);
    DeviceMemory rowSums = working.doubles(rows);
    DeviceMemory columnSums = working.doubles(shape.items());
    stream.clear(columnSums, 2L * shape.items());
    double squares = 0;
    double[] userSums = new double[shape.users()];
    for (int first = 0; first < shape.users(); first += rows) {
      context.run().cancellation().check();
      Window window = new Window(first, Math.min(rows, shape.users() - first), 0, shape.items());
      fields.evaluate(stream, buffers, window);
      DeviceSlice weights = buffers.output(0, window.cells());
      DeviceSlice targets = buffers.output(1, window.cells());
      sumRows(stream, weights, targets, window, rowSquares);
      sumRows(stream, weights, DeviceSlice.NONE, window, rowSums);
      stream.launch(
          "sum_columns",
          LaunchGrid.elements(window.items()),
          0,
          weights,
          window.users(),
          window.items(),
          columnSums);
      double[] found = new double[window.users()];
      stream.download(rowSquares, found);
      for (double square : found) {
        squares += square;
      }
      stream.download(rowSums, found);
      System.arraycopy(found, 0, userSums, first, found.length);
    }
    double[] itemSums = new double[shape.items()];
    stream.download(columnSums, itemSums);
    return new Totals(squares, userSums, itemSums);
  }

  private static void sumRows(
      DeviceStream stream,
      DeviceSlice values,
      DeviceSlice squared,
      Window window,
      DeviceMemory sums) {
    stream.launch(
        "sum_rows",
        LaunchGrid.rows(window.users()),
        0,
        values,
        squared,
        window.users(),
        window.items(),
        sums);
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
    double explained = halfSweep.solve(side, factors);
    return totalSquares + penalties.penalty(side.other(), factors) - explained;
  }

  private static Window window(Side side, int first, int rows, int start, int width) {
    return side == Side.USERS
        ? new Window(first, rows, start, width)
        : new Window(start, width, first, rows);
  }

  /**
   * The memory of one stream.
   *
   * @param panel rows of K
   * @param buffers weights and targets of a tile of rows and as many of the other side
   */
  private record PanelMemory(DeviceMemory panel, FieldEvaluator.Buffers buffers) {}

  /** The equations, made panel by panel of the other side. */
  private final class Panels implements CudaHalfSweep.Assembly<PanelMemory> {
    private final int stride = Math.toIntExact(RowSystems.stride(rank));
    private final int width =
        Math.min(
            device.tiles().panelRows((long) stride * Float.BYTES),
            Math.max(context.shape().users(), context.shape().items()));

    @Override
    public PanelMemory lane(Scratch working, int rows) {
      // Marks make windows of one side larger than those of the other.
      Window widest =
          Stream.of(Side.values())
              .map(side -> window(side, 0, rows, 0, width))
              .max(Comparator.comparingLong(evaluator.program()::bytes))
              .orElseThrow();
      return new PanelMemory(
          working.floats((long) width * stride), evaluator.buffers(working, widest));
    }

    @Override
    public long rowBytes() {
      return Math.max(
          evaluator.program().bytes(window(Side.USERS, 0, 32, 0, width)) / 32,
          evaluator.program().bytes(window(Side.ITEMS, 0, 32, 0, width)) / 32);
    }

    @Override
    public long fixedBytes() {
      return (long) width * stride * Float.BYTES;
    }

    @Override
    public CudaHalfSweep.Rows<PanelMemory> begin(Scratch working, Side side, DeviceMatrix fixed) {
      return (stream, lane, first, count, systems) ->
          assemble(stream, side, fixed, lane, first, count, systems);
    }

    private void assemble(
        DeviceStream stream,
        Side side,
        DeviceMatrix fixed,
        PanelMemory lane,
        int first,
        int count,
        RowSystems systems) {
      boolean users = side == Side.USERS;
      for (int start = 0; start < fixed.rows(); start += width) {
        context.run().cancellation().check();
        int rows = Math.min(width, fixed.rows() - start);
        DeviceMatrix factors = fixed.part(start, rows, 0, rank);
        stream.launch(
            "khatri_rao",
            LaunchGrid.rows(rows),
            rank * Float.BYTES,
            factors.floats(),
            rows,
            rank,
            lane.panel());
        Window window = window(side, first, count, start, rows);
        evaluator.evaluate(stream, lane.buffers(), window);
        float beta = start == 0 ? 0 : 1;
        DeviceMatrix weights = lane.buffers().output(0, window);
        DeviceMatrix targets = lane.buffers().output(1, window);
        // The zeros between triangles are multiplied along: products like round numbers.
        stream
            .algebra()
            .multiply(
                1,
                users ? weights : weights.transpose(),
                DeviceMatrix.of(lane.panel().slice(), rows, stride),
                beta,
                DeviceMatrix.of(systems.equations().slice(), count, stride));
        stream
            .algebra()
            .multiply(
                1,
                users ? targets : targets.transpose(),
                factors,
                beta,
                DeviceMatrix.of(systems.rights().slice(), count, rank));
      }
    }
  }

  @Override
  public void close() {
    halfSweep.close();
    scratch.close();
  }
}
