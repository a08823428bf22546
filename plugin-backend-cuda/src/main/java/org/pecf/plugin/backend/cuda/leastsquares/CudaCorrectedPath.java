package org.pecf.plugin.backend.cuda.leastsquares;

import java.util.List;
import java.util.Optional;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresPlan;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.backend.field.QuadraticField;
import org.pecf.backend.field.ScoreCombination;
import org.pecf.backend.leastsquares.Background;
import org.pecf.backend.leastsquares.Penalties;
import org.pecf.plugin.backend.cuda.device.Device;
import org.pecf.plugin.backend.cuda.device.DeviceMatrix;
import org.pecf.plugin.backend.cuda.device.DeviceMemory;
import org.pecf.plugin.backend.cuda.device.DeviceStream;
import org.pecf.plugin.backend.cuda.device.LaunchGrid;
import org.pecf.plugin.backend.cuda.device.Scratch;
import org.pecf.plugin.backend.cuda.field.CudaFieldProgram;
import org.pecf.plugin.backend.cuda.field.DeviceCopies;

/**
 * Least squares by a constant background, corrected at few exceptions: the equations of a row are
 * {@code b V'V + sum (w_ij - b) v_j v_j'} over its exceptions, so that the background costs one
 * Gramian per half-sweep.
 *
 * <p>A background that differs by item is made constant by {@link ScaledItems}.
 *
 * <p>Targets that contain scores are low-rank on the background: {@code sum_j f_ij v_j = F_i
 * (F'V)}.
 */
final class CudaCorrectedPath implements LeastSquares {
  /** The shared memory in which exceptions are staged: little, so that many blocks run at once. */
  private static final int STAGED_BYTES = 16 << 10;

  /** The side of the square of equations that a thread holds: SIDE of the kernels' source. */
  private static final int SQUARE = 4;

  private final SessionContext context;
  private final Device device;
  private final int rank;
  private final Background background;
  private final CudaCorrections corrections;
  private final List<ScoreCombination> scores;
  private final Scratch scratch;
  private final DeviceCopies copies;
  private final Penalties penalties;
  private final Optional<ScaledItems> scaledItems;

  /** The penalties of the problem that is solved: of scaled items, if they are. */
  private final Penalties ridges;

  private final CudaHalfSweep<DeviceMemory> halfSweep;
  private final double totalSquares;
  private final LeastSquaresPlan plan;

  /**
   * Prepare a problem.
   *
   * @param corrections from now on owned by the path, unless this fails
   */
  CudaCorrectedPath(
      SessionContext context,
      Device device,
      LeastSquaresRequest request,
      Background background,
      CudaCorrections corrections,
      String reason) {
    this.context = context;
    this.device = device;
    this.rank = request.rank();
    this.background = background;
    this.corrections = corrections;
    this.scores = CudaFieldProgram.of(List.of(background.targets())).slots();
    GridShape shape = context.shape();
    this.penalties =
        background.penalties(
            request.ridge(), shape, corrections.excess(Side.USERS), corrections.excess(Side.ITEMS));
    this.scaledItems = background.items().map(ScaledItems::new);
    this.ridges = scaledItems.map(scaled -> scaled.penalties(penalties)).orElse(penalties);
    this.scratch = new Scratch();
    try {
      this.copies = new DeviceCopies(device, scratch);
      double squares =
          QuadraticField.of(CellField.square(background.targets()))
              .orElseThrow()
              .sum(shape, new CudaFactorProducts(context, device, copies))
              .value();
      this.totalSquares = background.weight() * squares + corrections.squares();
      device.stream(0).await();
      this.halfSweep = new CudaHalfSweep<>(context, device, rank, ridges, new Rows());
    } catch (RuntimeException | Error e) {
      scratch.close();
      throw e;
    }
    this.plan =
        background.plan(
            reason,
            corrections.count(),
            corrections.excess(Side.USERS),
            shape,
            corrections.count() * CudaCorrections.BYTES);
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
    double explained =
        scaledItems.isPresent()
            ? solveScaled(scaledItems.get(), side, factors)
            : halfSweep.solve(side, factors);
    return totalSquares + penalties.penalty(side.other(), factors) - explained;
  }

  /** Solve one side of the problem whose items are scaled, and scale them back. */
  private double solveScaled(ScaledItems scaled, Side side, FactorModel factors) {
    try (FloatMatrix items =
        FloatMatrix.allocate(context.run().allocator(), factors.items().rows(), rank)) {
      scaled.scale(factors.items(), 0.5, items);
      double explained = halfSweep.solve(side, new FactorModel(factors.users(), items));
      if (side == Side.ITEMS) {
        scaled.scale(items, -0.5, factors.items());
      }
      return explained;
    }
  }

  /** The equations of rows, from what they share and their own exceptions. */
  private final class Rows implements CudaHalfSweep.Assembly<DeviceMemory> {
    /** Allocate memory for the further parts of long rows. */
    @Override
    public DeviceMemory lane(Scratch working, int rows) {
      return working.bytes(partBytes(rows));
    }

    private long partBytes(int rows) {
      int parts =
          Math.max(
              corrections.byUser().parts().mostFurther(rows),
              corrections.byItem().parts().mostFurther(rows));
      return parts * (RowSystems.stride(rank) + rank) * Float.BYTES;
    }

    @Override
    public long rowBytes() {
      return 0;
    }

    @Override
    public long fixedBytes() {
      GridShape shape = context.shape();
      return CudaSharedEquations.bytes(scores, rank)
          + Whitening.bytes(device, rank, Math.max(shape.users(), shape.items()))
          + partBytes(device.tiles().rows());
    }

    @Override
    public CudaHalfSweep.Rows<DeviceMemory> begin(Scratch working, Side side, DeviceMatrix fixed) {
      CudaSharedEquations shared =
          new CudaSharedEquations(device, working, copies, background, scores, side, fixed);
      return new SideRows(
          side,
          fixed,
          shared,
          Whitening.of(
              device, working, shared.gramian(), fixed, ridges.of(side), corrections.of(side)));
    }
  }

  /** The rows of one half-sweep. */
  private final class SideRows implements CudaHalfSweep.Rows<DeviceMemory> {
    private final Side side;
    private final DeviceMatrix fixed;
    private final CudaSharedEquations shared;
    private final Optional<Whitening> whitening;

    SideRows(
        Side side, DeviceMatrix fixed, CudaSharedEquations shared, Optional<Whitening> whitening) {
      this.side = side;
      this.fixed = fixed;
      this.shared = shared;
      this.whitening = whitening;
    }

    @Override
    public void assemble(
        DeviceStream stream, DeviceMemory partials, int first, int count, RowSystems systems) {
      CudaCorrectedPath.this.assemble(stream, side, first, count, fixed, shared, partials, systems);
    }

    @Override
    public boolean solveInSteps(
        DeviceStream stream,
        double[] lambda,
        int first,
        int count,
        RowSystems systems,
        DeviceMemory solved) {
      whitening.ifPresent(
          one -> {
            context.run().cancellation().check();
            shared.rights(stream, first, count, systems.rights());
            one.solve(stream, corrections.of(side), lambda, first, count, systems, solved);
          });
      return whitening.isPresent();
    }
  }

  private void assemble(
      DeviceStream stream,
      Side side,
      int first,
      int count,
      DeviceMatrix fixed,
      CudaSharedEquations shared,
      DeviceMemory partials,
      RowSystems systems) {
    context.run().cancellation().check();
    shared.rights(stream, first, count, systems.rights());
    CudaCorrections.SideExceptions exceptions = corrections.of(side);
    RowParts parts = exceptions.parts();
    int across = (rank + SQUARE - 1) / SQUARE;
    int staged = (across * SQUARE + 2) * Float.BYTES;
    int chunk = Math.max(1, STAGED_BYTES / staged);
    int threads = Math.min(LaunchGrid.THREADS, (across * (across + 1) / 2 + 31) / 32 * 32);
    stream.launch(
        "correct_equations",
        new LaunchGrid(parts.count(first, count), 1, threads, 1),
        chunk * staged,
        shared.gramian(),
        parts.rowsFrom(first),
        first,
        exceptions.start(first),
        exceptions.others(),
        exceptions.excess(),
        exceptions.pull(),
        fixed.floats(),
        rank,
        device.tiles().part(),
        chunk,
        systems.equations(),
        systems.rights(),
        partials);
    if (parts.count(first, count) > count) {
      stream.launch(
          "add_parts",
          LaunchGrid.rows(count),
          0,
          parts.firstsFrom(first),
          partials,
          count,
          rank,
          systems.equations(),
          systems.rights());
    }
  }

  @Override
  public void close() {
    halfSweep.close();
    scratch.close();
    corrections.close();
  }
}
