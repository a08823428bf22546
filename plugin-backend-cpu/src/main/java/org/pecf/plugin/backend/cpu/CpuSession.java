package org.pecf.plugin.backend.cpu;

import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.FieldKernels;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.MatrixKernels;
import org.pecf.api.compute.PairwiseRequest;
import org.pecf.api.compute.PairwiseSgd;
import org.pecf.api.compute.RankedItems;
import org.pecf.api.compute.RankingRequest;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.field.CellField;
import org.pecf.backend.algebra.LinearAlgebra;
import org.pecf.backend.algebra.Worker;
import org.pecf.plugin.backend.cpu.field.CpuFieldKernels;
import org.pecf.plugin.backend.cpu.field.ScoreProducts;
import org.pecf.plugin.backend.cpu.field.ScoreStore;
import org.pecf.plugin.backend.cpu.leastsquares.CpuContext;
import org.pecf.plugin.backend.cpu.leastsquares.Planner;
import org.pecf.plugin.backend.cpu.pairwise.PairwiseTrainer;
import org.pecf.plugin.backend.cpu.ranking.CpuRanker;

/** A session on this machine's cores. */
final class CpuSession implements ComputeSession {
  private final SessionContext context;
  private final Worker[] workers;
  private final ScoreStore store;
  private final ScoreProducts products;
  private final FieldKernels fields;

  CpuSession(LinearAlgebra algebra, SessionContext context) {
    this.context = context;
    this.workers =
        Worker.crew(context.run().allocator(), algebra, context.run().parallelism().threads());
    this.store =
        new ScoreStore(
            context.shape(), context.run().allocator(), context.run().parallelism(), workers);
    this.products = new ScoreProducts(context.run().parallelism(), workers);
    this.fields =
        new CpuFieldKernels(context.shape(), store, products, context.run().parallelism(), workers);
  }

  @Override
  public FieldKernels fields() {
    return fields;
  }

  @Override
  public MatrixKernels matrices() {
    return new CpuMatrixKernels(context.run().parallelism(), context.run().cancellation(), workers);
  }

  @Override
  public LeastSquares leastSquares(LeastSquaresRequest request) {
    LeastSquares problem =
        Planner.prepare(new CpuContext(context, fields, store, workers), request);
    context.run().listener().on(problem.plan());
    return problem;
  }

  @Override
  public PairwiseSgd pairwise(PairwiseRequest request) {
    return PairwiseTrainer.prepare(context, request);
  }

  @Override
  public RankedItems rank(RankingRequest request) {
    return new CpuRanker(
            context.shape(), context.run().allocator(), store, context.run().parallelism(), workers)
        .rank(request);
  }

  @Override
  public void keep(CellField scores) {
    store.keep(scores);
    products.keep(scores);
  }

  @Override
  public void close() {
    workers[0].unstableRows().report(context.run().listener());
    store.close();
    for (Worker worker : workers) {
      worker.close();
    }
  }
}
