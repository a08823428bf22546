package org.pecf.plugin.backend.cuda;

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
import org.pecf.plugin.backend.cuda.algebra.CudaMatrixKernels;
import org.pecf.plugin.backend.cuda.device.CudaFailure;
import org.pecf.plugin.backend.cuda.device.Device;
import org.pecf.plugin.backend.cuda.field.CudaFieldKernels;
import org.pecf.plugin.backend.cuda.leastsquares.CudaPlanner;
import org.pecf.plugin.backend.cuda.pairwise.CudaPairwiseTrainer;
import org.pecf.plugin.backend.cuda.ranking.CudaRanker;

/** A session on a device. */
final class CudaSession implements ComputeSession {
  private final SessionContext context;
  private final Device device;
  private final FieldKernels fields;
  private final MatrixKernels matrices;

  private CudaSession(SessionContext context, Device device) {
    this.context = context;
    this.device = device;
    this.fields = new CudaFieldKernels(context, device);
    this.matrices = new CudaMatrixKernels(context.run().cancellation(), device);
  }

  /** Open a session whose work has the device to itself and whose failures are explained. */
  static ComputeSession open(Device.Setup setup, SessionContext context) {
    return CudaFailure.explained(
        () -> {
          Device device = Device.open(setup, context.run().allocator());
          return new ExplainedSession(
              new CudaSession(context, device), device, context.run().listener());
        });
  }

  @Override
  public FieldKernels fields() {
    return fields;
  }

  @Override
  public MatrixKernels matrices() {
    return matrices;
  }

  @Override
  public LeastSquares leastSquares(LeastSquaresRequest request) {
    return CudaPlanner.prepare(context, device, request);
  }

  @Override
  public PairwiseSgd pairwise(PairwiseRequest request) {
    return CudaPairwiseTrainer.prepare(context, device, request);
  }

  @Override
  public RankedItems rank(RankingRequest request) {
    return new CudaRanker(context, device).rank(request);
  }

  @Override
  public void keep(CellField scores) {
    device.keptScores().keep(scores, context.shape(), context.run().cancellation());
  }

  @Override
  public void close() {
    device.unstableRows().report(context.run().listener());
    device.close();
  }
}
