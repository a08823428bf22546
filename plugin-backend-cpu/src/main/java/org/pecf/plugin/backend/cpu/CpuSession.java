package org.pecf.plugin.backend.cpu;

import org.pecf.api.compute.ComputeResources;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.FieldKernels;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.MatrixKernels;
import org.pecf.api.compute.PairwiseRequest;
import org.pecf.api.compute.PairwiseSgd;
import org.pecf.api.compute.RankedItems;
import org.pecf.api.compute.RankingRequest;
import org.pecf.api.field.CellField;
import org.pecf.plugin.backend.cpu.algebra.CpuMatrixKernels;
import org.pecf.plugin.backend.cpu.algebra.LinearAlgebra;
import org.pecf.plugin.backend.cpu.algebra.Worker;
import org.pecf.plugin.backend.cpu.field.CpuFieldKernels;
import org.pecf.plugin.backend.cpu.field.ScoreStore;
import org.pecf.plugin.backend.cpu.leastsquares.CpuContext;
import org.pecf.plugin.backend.cpu.leastsquares.Planner;
import org.pecf.plugin.backend.cpu.pairwise.PairwiseTrainer;
import org.pecf.plugin.backend.cpu.ranking.Ranker;

/** A session on this machine's cores. */
final class CpuSession implements ComputeSession {
  private final ComputeResources resources;
  private final Worker[] workers;
  private final ScoreStore store;
  private final FieldKernels fields;

  CpuSession(LinearAlgebra algebra, ComputeResources resources) {
    this.resources = resources;
    this.workers = Worker.crew(resources.allocator(), algebra, resources.parallelism().threads());
    this.store =
        new ScoreStore(resources.shape(), resources.allocator(), resources.parallelism(), workers);
    this.fields = new CpuFieldKernels(resources.shape(), store, resources.parallelism(), workers);
  }

  @Override
  public FieldKernels fields() {
    return fields;
  }

  @Override
  public MatrixKernels matrices() {
    return new CpuMatrixKernels(resources.parallelism(), resources.cancellation(), workers);
  }

  @Override
  public LeastSquares leastSquares(LeastSquaresRequest request) {
    return Planner.prepare(new CpuContext(resources, fields, store, workers), request);
  }

  @Override
  public PairwiseSgd pairwise(PairwiseRequest request) {
    return PairwiseTrainer.prepare(resources, request);
  }

  @Override
  public RankedItems rank(RankingRequest request) {
    return new Ranker(
            resources.shape(), resources.allocator(), store, resources.parallelism(), workers)
        .rank(request);
  }

  @Override
  public void keep(CellField scores) {
    store.keep(scores);
  }

  @Override
  public void close() {
    store.close();
    for (Worker worker : workers) {
      worker.close();
    }
  }
}
