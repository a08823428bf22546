package org.pecf.plugin.backend.cuda.leastsquares;

import java.util.List;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresPlan;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.backend.base.field.ScoreCombination;
import org.pecf.backend.base.leastsquares.Background;
import org.pecf.backend.base.leastsquares.BackgroundSquares;
import org.pecf.backend.base.leastsquares.Penalties;
import org.pecf.plugin.backend.cuda.device.Device;
import org.pecf.plugin.backend.cuda.device.DeviceFactors;
import org.pecf.plugin.backend.cuda.device.DeviceMatrix;
import org.pecf.plugin.backend.cuda.device.DeviceMemory;
import org.pecf.plugin.backend.cuda.device.DeviceStream;
import org.pecf.plugin.backend.cuda.device.Grid;
import org.pecf.plugin.backend.cuda.device.Scratch;
import org.pecf.plugin.backend.cuda.field.DeviceCopies;
import org.pecf.plugin.backend.cuda.field.FieldProgram;

/**
 * Least squares by a constant background, corrected at few exceptions: the equations of a row are
 * {@code b V'V + sum (w_ij - b) v_j v_j'} over its exceptions, so that the background costs one
 * Gramian per half-sweep.
 *
 * <p>Targets that contain scores are low-rank on the background: {@code sum_j f_ij v_j = F_i
 * (F'V)}.
 */
final class CorrectedPath implements LeastSquares {
  /** The shared memory in which exceptions are staged. */
  private static final int STAGED_BYTES = 32 << 10;

  private final SessionContext context;
  private final Device device;
  private final int rank;
  private final Background background;
  private final Corrections corrections;
  private final List<ScoreCombination> scores;
  private final Scratch scratch;
  private final DeviceCopies copies;
  private final DeviceFactors deviceFactors;
  private final Penalties penalties;
  private final double totalSquares;
  private final LeastSquaresPlan plan;

  /**
   * Prepare a problem.
   *
   * @param corrections from now on owned by the path, unless this fails
   */
  CorrectedPath(
      SessionContext context,
      Device device,
      LeastSquaresRequest request,
      Background background,
      Corrections corrections,
      String reason) {
    this.context = context;
    this.device = device;
    this.rank = request.rank();
    this.background = background;
    this.corrections = corrections;
    this.scores = FieldProgram.of(List.of(background.targets())).slots();
    GridShape shape = context.shape();
    this.penalties =
        background.penalties(
            request.ridge(), shape, corrections.excess(Side.USERS), corrections.excess(Side.ITEMS));
    this.scratch = new Scratch();
    try {
      this.copies = new DeviceCopies(device.stream(0), scratch);
      double squares =
          BackgroundSquares.of(
              background.constantTarget(),
              scores,
              shape.cells(),
              new FactorProducts(context, device, copies));
      this.totalSquares = background.weight() * squares + corrections.squares();
      device.stream(0).await();
      this.deviceFactors = new DeviceFactors(device, shape, rank);
    } catch (RuntimeException | Error e) {
      scratch.close();
      throw e;
    }
    this.plan =
        background.plan(
            reason, corrections.count(), shape, corrections.count() * Corrections.BYTES);
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
        HalfSweep.solve(
            context,
            device,
            deviceFactors,
            side,
            factors,
            penalties,
            new HalfSweep.Assembly() {
              @Override
              public Tile tile(Scratch working, DeviceStream on, int rows, DeviceMatrix fixed) {
                SharedEquations shared =
                    new SharedEquations(
                        device, on, working, copies, background, scores, side, fixed);
                return (stream, first, count, systems) ->
                    assemble(stream, side, first, count, fixed, shared, systems);
              }

              @Override
              public long rowBytes() {
                return 0;
              }

              @Override
              public long fixedBytes() {
                return SharedEquations.bytes(scores, rank);
              }
            });
    return totalSquares + penalties.penalty(side.other(), factors) - explained;
  }

  private void assemble(
      DeviceStream stream,
      Side side,
      int first,
      int count,
      DeviceMatrix fixed,
      SharedEquations shared,
      RowSystems systems) {
    context.run().cancellation().check();
    DeviceMemory rights = systems.rights();
    shared.rights(stream, first, count, rights);
    Corrections.SideExceptions exceptions = corrections.of(side);
    stream.launch(
        "gather_rights",
        Grid.rows(count),
        0,
        exceptions.start(first),
        exceptions.others(),
        exceptions.pull(),
        fixed.floats(),
        count,
        rank,
        1,
        rights);
    int chunk = Math.max(1, STAGED_BYTES / ((rank + 1) * Float.BYTES));
    stream.launch(
        "correct_equations",
        Grid.rows(count),
        chunk * (rank + 1) * Float.BYTES,
        shared.gramian(),
        exceptions.start(first),
        exceptions.others(),
        exceptions.excess(),
        fixed.floats(),
        count,
        rank,
        chunk,
        systems.equations());
  }

  @Override
  public void close() {
    deviceFactors.close();
    scratch.close();
    corrections.close();
  }
}
