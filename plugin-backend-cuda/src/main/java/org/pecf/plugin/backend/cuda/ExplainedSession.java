package org.pecf.plugin.backend.cuda;

import java.util.List;
import java.util.function.Supplier;
import org.apache.arrow.memory.ArrowBuf;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.FieldKernels;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresPlan;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.MatrixKernels;
import org.pecf.api.compute.PairwiseEpoch;
import org.pecf.api.compute.PairwiseRequest;
import org.pecf.api.compute.PairwiseSgd;
import org.pecf.api.compute.RankedItems;
import org.pecf.api.compute.RankingRequest;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.RunListener;
import org.pecf.plugin.backend.cuda.device.CudaFailure;
import org.pecf.plugin.backend.cuda.device.Device;

/**
 * A session whose work has the device to itself, whose failures are explained, and whose plans are
 * reported.
 */
final class ExplainedSession implements ComputeSession {
  private final ComputeSession session;
  private final Device device;
  private final RunListener listener;

  /**
   * Explain a session.
   *
   * @param session the session that does the work; closed with this one
   * @param device the device that it works on; borrowed
   * @param listener is notified of plans
   */
  ExplainedSession(ComputeSession session, Device device, RunListener listener) {
    this.session = session;
    this.device = device;
    this.listener = listener;
  }

  private <T> T call(Supplier<T> work) {
    return CudaFailure.explained(() -> device.use(work));
  }

  private void run(Runnable work) {
    call(
        () -> {
          work.run();
          return this;
        });
  }

  @Override
  public FieldKernels fields() {
    FieldKernels fields = session.fields();
    return new FieldKernels() {
      @Override
      public double[] sums(List<CellField> summed) {
        return call(() -> fields.sums(summed));
      }

      @Override
      public void gather(CellField field, SparseCells cells, ArrowBuf values) {
        run(() -> fields.gather(field, cells, values));
      }

      @Override
      public void fill(CellField field, int firstUser, int firstItem, FloatMatrix tile) {
        run(() -> fields.fill(field, firstUser, firstItem, tile));
      }
    };
  }

  @Override
  public MatrixKernels matrices() {
    MatrixKernels matrices = session.matrices();
    return new MatrixKernels() {
      @Override
      public void invert(FloatMatrix matrix) {
        run(() -> matrices.invert(matrix));
      }

      @Override
      public void multiply(FloatMatrix left, FloatMatrix right, FloatMatrix product) {
        run(() -> matrices.multiply(left, right, product));
      }
    };
  }

  @Override
  public LeastSquares leastSquares(LeastSquaresRequest request) {
    LeastSquares problem = call(() -> session.leastSquares(request));
    listener.on(problem.plan());
    return new LeastSquares() {
      @Override
      public LeastSquaresPlan plan() {
        return problem.plan();
      }

      @Override
      public double unitPenalty(Side side) {
        return problem.unitPenalty(side);
      }

      @Override
      public double solve(Side side, FactorModel factors) {
        return call(() -> problem.solve(side, factors));
      }

      @Override
      public void close() {
        run(problem::close);
      }
    };
  }

  @Override
  public PairwiseSgd pairwise(PairwiseRequest request) {
    PairwiseSgd problem = call(() -> session.pairwise(request));
    return new PairwiseSgd() {
      @Override
      public PairwiseEpoch epoch(FactorModel factors, int epoch, double learningRate) {
        return call(() -> problem.epoch(factors, epoch, learningRate));
      }

      @Override
      public void close() {
        run(problem::close);
      }
    };
  }

  @Override
  public RankedItems rank(RankingRequest request) {
    return call(() -> session.rank(request));
  }

  @Override
  public void keep(CellField scores) {
    run(() -> session.keep(scores));
  }

  @Override
  public void close() {
    session.close();
  }
}
