package org.pecf.testkit.contract;

import java.util.Optional;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresPlan;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.field.CellField;
import org.pecf.api.field.HostField;
import org.pecf.api.field.PartMask;
import org.pecf.api.field.Product;
import org.pecf.api.field.ValueRange;
import org.pecf.testkit.reference.ReferenceLeastSquares;

/**
 * A session that takes the corrected path in the plainest way: it replaces the weight of every
 * background cell by one constant, times the share of the training part where cells are held out.
 */
class CorrectedSession extends DelegatingSession {
  CorrectedSession(SessionContext context) {
    super(context);
  }

  /** The weights as the corrected path has them. */
  record Approximation(CellField exact, double scoreBound, double constant, double error)
      implements HostField {
    @Override
    public float valueAt(int user, int item) {
      return BackgroundCells.contain(exact, user, item, scoreBound)
          ? (float) constant
          : exact.valueAt(user, item);
    }
  }

  @Override
  public LeastSquares leastSquares(LeastSquaresRequest request) {
    Optional<Approximation> found =
        context.path() == ComputationPath.DENSE || context.weightError() == 0
            ? Optional.empty()
            : approximation(request.weights());
    if (found.isEmpty()) {
      return super.leastSquares(request);
    }
    Approximation approximation = found.get();
    LeastSquaresPlan plan = plan(approximation);
    context.run().listener().on(plan);
    LeastSquaresRequest changed =
        new LeastSquaresRequest(
            approximation,
            targets(request.targets(), approximation),
            request.rank(),
            request.ridge());
    return new Delegate(
        new ReferenceLeastSquares(changed, context.shape(), context.run().cancellation())) {
      @Override
      public LeastSquaresPlan plan() {
        return plan;
      }
    };
  }

  CellField targets(CellField targets, Approximation approximation) {
    return targets;
  }

  LeastSquaresPlan plan(Approximation approximation) {
    long exceptions = 0;
    for (int user = 0; user < context.shape().users(); user++) {
      for (int item = 0; item < context.shape().items(); item++) {
        if (!BackgroundCells.contain(
            approximation.exact(), user, item, approximation.scoreBound())) {
          exceptions++;
        }
      }
    }
    return new LeastSquaresPlan(
        ComputationPath.CORRECTED,
        "it was asked for",
        exceptions,
        context.shape().cells(),
        approximation.scoreBound(),
        approximation.error(),
        approximation.error(),
        0);
  }

  private Optional<Approximation> approximation(CellField weights) {
    for (float bound = 4; bound > 0.001f; bound /= 1.1f) {
      ValueRange range = weights.background(bound);
      double error = (range.high() - range.low()) / (range.high() + range.low());
      if (error <= context.weightError()) {
        double constant = 2 * range.low() * range.high() / (range.low() + range.high());
        return Optional.of(new Approximation(weights, bound, constant * share(weights), error));
      }
    }
    return Optional.empty();
  }

  double share(CellField weights) {
    double share = 1;
    if (weights instanceof Product product) {
      for (CellField factor : product.factors()) {
        if (factor instanceof PartMask mask) {
          share *= mask.fraction();
        }
      }
    }
    return share;
  }
}
