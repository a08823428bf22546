package org.pecf.backend.cpu;

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
import org.pecf.backend.cpu.algebra.CpuMatrixKernels;
import org.pecf.backend.cpu.algebra.LinearAlgebra;
import org.pecf.backend.cpu.algebra.Worker;
import org.pecf.backend.cpu.field.CpuFieldKernels;
import org.pecf.backend.cpu.leastsquares.Planner;
import org.pecf.backend.cpu.leastsquares.Setting;
import org.pecf.backend.cpu.pairwise.PairwiseTrainer;
import org.pecf.backend.cpu.ranking.Ranker;

/** Run the kernels on this machine's cores. */
final class CpuSession implements ComputeSession {
  private final ComputeResources resources;
  private final Worker[] workers;
  private final FieldKernels fields;

  CpuSession(LinearAlgebra algebra, ComputeResources resources) {
    this.resources = resources;
    this.workers = Worker.crew(resources.allocator(), algebra, resources.parallelism().threads());
    this.fields =
        new CpuFieldKernels(
            resources.shape(), resources.allocator(), resources.parallelism(), workers);
  }

  @Override
  public FieldKernels fields() {
    return new FieldKernels() {
      @Override
      public double[] sums(List<CellField> summed) {
        return withinMemory(() -> fields.sums(summed));
      }

      @Override
      public void gather(CellField field, SparseCells cells, ArrowBuf values) {
        withinMemory(
            () -> {
              fields.gather(field, cells, values);
              return values;
            });
      }

      @Override
      public void fill(CellField field, int firstUser, int firstItem, FloatMatrix tile) {
        withinMemory(
            () -> {
              fields.fill(field, firstUser, firstItem, tile);
              return tile;
            });
      }
    };
  }

  @Override
  public MatrixKernels matrices() {
    return new CpuMatrixKernels(resources.parallelism(), resources.cancellation(), workers);
  }

  @Override
  public LeastSquares leastSquares(LeastSquaresRequest request) {
    Setting setting = new Setting(resources, fields, workers);
    LeastSquares problem = withinMemory(() -> Planner.prepare(setting, request));
    resources.listener().on(problem.plan());
    return new LeastSquares() {
      @Override
      public LeastSquaresPlan plan() {
        return problem.plan();
      }

      @Override
      public double solve(Side side, FactorModel factors) {
        return withinMemory(() -> problem.solve(side, factors));
      }

      @Override
      public void close() {
        problem.close();
      }
    };
  }

  @Override
  public PairwiseSgd pairwise(PairwiseRequest request) {
    PairwiseSgd problem = withinMemory(() -> PairwiseTrainer.prepare(resources, request));
    return new PairwiseSgd() {
      @Override
      public PairwiseEpoch epoch(FactorModel factors, int epoch, double learningRate) {
        return withinMemory(() -> problem.epoch(factors, epoch, learningRate));
      }

      @Override
      public void close() {
        problem.close();
      }
    };
  }

  @Override
  public RankedItems rank(RankingRequest request) {
    return withinMemory(
        () ->
            new Ranker(resources.shape(), resources.allocator(), resources.parallelism(), workers)
                .rank(request));
  }

  /** Turn Arrow's word that the budget is used up into ours. */
  private <T> T withinMemory(Supplier<T> work) {
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
    }
  }

  @Override
  public void close() {
    for (Worker worker : workers) {
      worker.close();
    }
  }
}
