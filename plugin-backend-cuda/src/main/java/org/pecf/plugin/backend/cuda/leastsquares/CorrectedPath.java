package org.pecf.plugin.backend.cuda.leastsquares;

import java.util.ArrayList;
import java.util.List;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresPlan;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.backend.base.leastsquares.Background;
import org.pecf.backend.base.leastsquares.Penalties;
import org.pecf.plugin.backend.cuda.device.Device;
import org.pecf.plugin.backend.cuda.device.DeviceMemory;
import org.pecf.plugin.backend.cuda.device.Lane;
import org.pecf.plugin.backend.cuda.device.Lane.Grid;
import org.pecf.plugin.backend.cuda.device.Lane.Operand;
import org.pecf.plugin.backend.cuda.device.ResidentFactors;
import org.pecf.plugin.backend.cuda.device.Scratch;
import org.pecf.plugin.backend.cuda.field.FieldProgram;
import org.pecf.plugin.backend.cuda.field.Residents;
import org.pecf.plugin.backend.cuda.field.ScoreSlot;

/**
 * Correct a constant background at few exceptions: the equations of a row are {@code b V'V + sum
 * (w_ij - b) v_j v_j'} over its exceptions, so that the background costs one Gramian a half-sweep.
 *
 * <p>Targets that contain scores are low-rank on the background: {@code sum_j f_ij v_j = F_i
 * (F'V)}.
 */
final class CorrectedPath implements LeastSquares {
  /** How much shared memory exceptions are staged in. */
  private static final int STAGED_BYTES = 32 << 10;

  private final SessionContext context;
  private final Device device;
  private final int rank;
  private final Background background;
  private final Corrections corrections;
  private final List<ScoreSlot> lowRank;
  private final Scratch scratch;
  private final Residents models;
  private final ResidentFactors residents;
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
    this.lowRank = FieldProgram.of(List.of(background.targets())).slots();
    GridShape shape = context.shape();
    this.penalties =
        background.penalties(
            request.ridge(), shape, corrections.excess(Side.USERS), corrections.excess(Side.ITEMS));
    this.scratch = new Scratch();
    try {
      this.models = new Residents(device.lane(0), scratch);
      this.totalSquares = background.weight() * backgroundSquares() + corrections.squares();
      device.lane(0).await();
      this.residents = new ResidentFactors(device, shape, rank);
    } catch (RuntimeException | Error e) {
      scratch.close();
      throw e;
    }
    this.plan =
        background.plan(
            reason, corrections.count(), shape, corrections.count() * Corrections.BYTES);
  }

  /** Return the sum of squared background targets over all cells, by Gramians. */
  private double backgroundSquares() {
    double t = background.constantTarget();
    double squares = t * t * context.shape().cells();
    for (ScoreSlot slot : lowRank) {
      for (int a = 0; a < slot.models().size(); a++) {
        FactorModel left = slot.models().get(a);
        double c = slot.coefficients().get(a);
        squares += 2 * t * c * dot(columnSums(left.users()), columnSums(left.items()));
        for (int b = 0; b <= a; b++) {
          context.run().cancellation().check();
          squares +=
              (a == b ? 1 : 2)
                  * c
                  * slot.coefficients().get(b)
                  * gramianProduct(left, slot.models().get(b));
        }
      }
    }
    return squares;
  }

  /** Return {@code sum_ij (u_i . v_j) (x_i . y_j)} = the inner product of U'X and V'Y. */
  private double gramianProduct(FactorModel left, FactorModel right) {
    int size = left.rank() * right.rank();
    return device.inScratch(
        working -> {
          float[] users = cross(working, left.users(), right.users(), size);
          float[] items = cross(working, left.items(), right.items(), size);
          double product = 0;
          for (int k = 0; k < size; k++) {
            product += (double) users[k] * items[k];
          }
          return product;
        });
  }

  private float[] cross(Scratch working, FloatMatrix left, FloatMatrix right, int size) {
    DeviceMemory product = working.floats(size);
    Lane lane = device.lane(0);
    cross(lane, models.matrix(left), left.columns(), models.matrix(right), right, 1, product);
    float[] values = new float[size];
    lane.download(product, 0, values, size);
    return values;
  }

  /** Compute {@code target = scale left' right}. */
  private static void cross(
      Lane lane,
      DeviceMemory left,
      int leftColumns,
      DeviceMemory right,
      FloatMatrix like,
      float scale,
      DeviceMemory target) {
    lane.multiply(
        true,
        false,
        leftColumns,
        like.columns(),
        like.rows(),
        scale,
        new Operand(left.address(), leftColumns),
        new Operand(right.address(), like.columns()),
        0,
        new Operand(target.address(), like.columns()));
  }

  private double[] columnSums(FloatMatrix matrix) {
    return columnSums(models.matrix(matrix), matrix.rows(), matrix.columns());
  }

  private double[] columnSums(DeviceMemory matrix, int rows, int columns) {
    return device.inScratch(
        working -> {
          Lane lane = device.lane(0);
          DeviceMemory sums = working.doubles(columns);
          lane.clear(sums, 2L * columns);
          lane.launch(
              "sum_columns",
              Grid.elements(columns),
              0,
              matrix.address(),
              rows,
              columns,
              sums.address());
          double[] found = new double[columns];
          lane.download(sums, found);
          return found;
        });
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
                Shared shared = new Shared(working, lane, side, factors, fixed);
                return (on, first, count, systems) ->
                    assemble(on, side, first, count, fixed, shared, systems);
              }

              @Override
              public long rowBytes() {
                return 0;
              }

              @Override
              public long fixedBytes() {
                long mapped =
                    lowRank.stream()
                        .flatMap(slot -> slot.models().stream())
                        .mapToLong(model -> (long) model.rank() * rank)
                        .sum();
                return (mapped + (long) rank * (rank + 1)) * Float.BYTES;
              }
            });
    return totalSquares + penalties.penalty(side.other(), factors) - explained;
  }

  /** What all rows of a half-sweep share. */
  private final class Shared {
    /** b V'V. */
    private final DeviceMemory gramian;

    /** The part of the right-hand side that constant targets make, b t sum_j v_j; null if none. */
    private final DeviceMemory pull;

    /** For each model in the targets, b c F'V: what maps its factors to right-hand sides. */
    private final List<DeviceMemory> maps = new ArrayList<>();

    private final List<FloatMatrix> mapped = new ArrayList<>();

    Shared(Scratch working, Lane lane, Side side, FactorModel factors, DeviceMemory fixed) {
      FloatMatrix like = factors.side(side.other());
      float b = (float) background.weight();
      gramian = working.floats((long) rank * rank);
      cross(lane, fixed, rank, fixed, like, b, gramian);
      double scale = background.weight() * background.constantTarget();
      if (scale == 0) {
        pull = null;
      } else {
        double[] sums = columnSums(fixed, like.rows(), rank);
        float[] values = new float[rank];
        for (int k = 0; k < rank; k++) {
          values[k] = (float) (scale * sums[k]);
        }
        pull = working.floats(rank);
        lane.upload(pull, 0, values);
      }
      for (ScoreSlot slot : lowRank) {
        for (int k = 0; k < slot.models().size(); k++) {
          FactorModel model = slot.models().get(k);
          DeviceMemory map = working.floats((long) model.rank() * rank);
          cross(
              lane,
              models.matrix(model.side(side.other())),
              model.rank(),
              fixed,
              like,
              b * slot.coefficients().get(k),
              map);
          maps.add(map);
          mapped.add(model.side(side));
        }
      }
    }
  }

  private void assemble(
      Lane lane,
      Side side,
      int first,
      int count,
      DeviceMemory fixed,
      Shared shared,
      Systems systems) {
    context.run().cancellation().check();
    DeviceMemory rights = systems.rights();
    if (shared.pull == null) {
      lane.clear(rights, (long) count * rank);
    } else {
      lane.launch(
          "repeat_row",
          Grid.elements((long) count * rank),
          0,
          shared.pull.address(),
          count,
          rank,
          rights.address());
    }
    for (int k = 0; k < shared.maps.size(); k++) {
      FloatMatrix matrix = shared.mapped.get(k);
      int inner = matrix.columns();
      lane.multiply(
          false,
          false,
          count,
          rank,
          inner,
          1,
          new Operand(models.matrix(matrix).address(FloatMatrix.bytes(first, inner)), inner),
          new Operand(shared.maps.get(k).address(), rank),
          1,
          new Operand(rights.address(), rank));
    }
    Corrections.View view = corrections.of(side);
    lane.launch(
        "gather_rights",
        Grid.rows(count),
        0,
        view.start(first),
        view.others().address(),
        view.pull().address(),
        fixed.address(),
        count,
        rank,
        1,
        rights.address());
    int chunk = Math.max(1, STAGED_BYTES / ((rank + 1) * Float.BYTES));
    lane.launch(
        "correct_equations",
        Grid.rows(count),
        chunk * (rank + 1) * Float.BYTES,
        shared.gramian.address(),
        view.start(first),
        view.others().address(),
        view.excess().address(),
        fixed.address(),
        count,
        rank,
        chunk,
        systems.equations());
  }

  @Override
  public void close() {
    residents.close();
    scratch.close();
    corrections.close();
  }
}
