package org.pecf.backend.cuda;

import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.OutOfMemoryException;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputeResources;
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
import org.pecf.backend.cuda.algebra.CudaMatrixKernels;
import org.pecf.backend.cuda.device.CudaFailure;
import org.pecf.backend.cuda.device.Device;
import org.pecf.backend.cuda.field.CudaFieldKernels;
import org.pecf.backend.cuda.leastsquares.Planner;
import org.pecf.backend.cuda.pairwise.PairwiseTrainer;
import org.pecf.backend.cuda.ranking.Ranker;

/** Run the kernels on a device. */
final class CudaSession implements ComputeSession {
  private final ComputeResources resources;
  private final Device device;
  private final FieldKernels fields;
  private final MatrixKernels matrices;

  private CudaSession(ComputeResources resources, Device device) {
    this.resources = resources;
    this.device = device;
    this.fields = new CudaFieldKernels(resources, device);
    this.matrices = new CudaMatrixKernels(resources.cancellation(), device);
  }

  static CudaSession open(Device.Setup setup, ComputeResources resources) {
    return explain(
        resources, () -> new CudaSession(resources, Device.open(setup, resources.allocator())));
  }

  @Override
  public FieldKernels fields() {
    return new FieldKernels() {
      @Override
      public double[] sums(List<CellField> summed) {
        return on(() -> fields.sums(summed));
      }

      @Override
      public void gather(CellField field, SparseCells cells, ArrowBuf values) {
        on(
            () -> {
              fields.gather(field, cells, values);
              return values;
            });
      }

      @Override
      public void fill(CellField field, int firstUser, int firstItem, FloatMatrix tile) {
        on(
            () -> {
              fields.fill(field, firstUser, firstItem, tile);
              return tile;
            });
      }
    };
  }

  @Override
  public MatrixKernels matrices() {
    return new MatrixKernels() {
      @Override
      public void invert(FloatMatrix matrix) {
        on(
            () -> {
              matrices.invert(matrix);
              return matrix;
            });
      }

      @Override
      public void multiply(FloatMatrix left, FloatMatrix right, FloatMatrix product) {
        on(
            () -> {
              matrices.multiply(left, right, product);
              return product;
            });
      }
    };
  }

  @Override
  public LeastSquares leastSquares(LeastSquaresRequest request) {
    LeastSquares problem = on(() -> Planner.prepare(resources, device, request));
    resources.listener().on(problem.plan());
    return new LeastSquares() {
      @Override
      public LeastSquaresPlan plan() {
        return problem.plan();
      }

      @Override
      public double solve(Side side, FactorModel factors) {
        return on(() -> problem.solve(side, factors));
      }

      @Override
      public void close() {
        on(
            () -> {
              problem.close();
              return problem;
            });
      }
    };
  }

  @Override
  public PairwiseSgd pairwise(PairwiseRequest request) {
    PairwiseSgd problem = on(() -> PairwiseTrainer.prepare(resources, device, request));
    return new PairwiseSgd() {
      @Override
      public PairwiseEpoch epoch(FactorModel factors, int epoch, double learningRate) {
        return on(() -> problem.epoch(factors, epoch, learningRate));
      }

      @Override
      public void close() {
        on(
            () -> {
              problem.close();
              return problem;
            });
      }
    };
  }

  @Override
  public RankedItems rank(RankingRequest request) {
    return on(() -> new Ranker(resources, device).rank(request));
  }

  private <T> T on(Supplier<T> work) {
    return explain(resources, () -> device.use(work));
  }

  /** Turn what Arrow and CUDA say into words for people. */
  private static <T> T explain(ComputeResources resources, Supplier<T> work) {
    try {
      return work.get();
    } catch (OutOfMemoryException e) {
      throw new PecfException(
          ErrorCode.RESOURCES,
          String.format(
              Locale.ROOT,
              "the memory budget of %d MB does not suffice (%s). Raise --memory.",
              resources.allocator().getLimit() >> 20,
              e.getMessage().lines().findFirst().orElse("")),
          e);
    } catch (CudaFailure.OutOfMemory e) {
      throw new PecfException(
          ErrorCode.RESOURCES,
          "the CUDA device has too little free memory ("
              + e.getMessage()
              + "). End what else uses the device, lower --rank, or use --backend cpu.",
          e);
    } catch (CudaFailure e) {
      throw new PecfException(
          ErrorCode.INTERNAL,
          "the CUDA device failed: "
              + e.getMessage()
              + ". Use --backend cpu to go on, and report what 'pecf-run backends selftest cuda'"
              + " prints.",
          e);
    }
  }

  @Override
  public void close() {
    device.close();
  }
}
