package org.pecf.testkit.contract;

import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.FieldKernels;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresPlan;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.MatrixKernels;
import org.pecf.api.compute.PairwiseRequest;
import org.pecf.api.compute.PairwiseSgd;
import org.pecf.api.compute.RankedItems;
import org.pecf.api.compute.RankingRequest;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.testkit.reference.ReferenceComputeSession;

/** A session that does what the reference does, except where a subclass changes it. */
class DelegatingSession implements ComputeSession, FieldKernels, MatrixKernels {
  final SessionContext context;
  private final ComputeSession reference;

  DelegatingSession(SessionContext context) {
    this.context = context;
    this.reference = new ReferenceComputeSession(context);
  }

  @Override
  public FieldKernels fields() {
    return this;
  }

  @Override
  public double[] sums(List<CellField> fields) {
    return reference.fields().sums(fields);
  }

  @Override
  public void gather(CellField field, SparseCells cells, ArrowBuf values) {
    reference.fields().gather(field, cells, values);
  }

  @Override
  public void fill(CellField field, int firstUser, int firstItem, FloatMatrix tile) {
    reference.fields().fill(field, firstUser, firstItem, tile);
  }

  @Override
  public MatrixKernels matrices() {
    return this;
  }

  @Override
  public void invert(FloatMatrix matrix) {
    reference.matrices().invert(matrix);
  }

  @Override
  public void multiply(FloatMatrix left, FloatMatrix right, FloatMatrix product) {
    reference.matrices().multiply(left, right, product);
  }

  @Override
  public LeastSquares leastSquares(LeastSquaresRequest request) {
    return reference.leastSquares(request);
  }

  @Override
  public PairwiseSgd pairwise(PairwiseRequest request) {
    return reference.pairwise(request);
  }

  @Override
  public RankedItems rank(RankingRequest request) {
    return reference.rank(request);
  }

  @Override
  public void close() {
    reference.close();
  }

  /** A problem that is solved by another one, except where a subclass changes it. */
  static class Delegate implements LeastSquares {
    private final LeastSquares other;

    Delegate(LeastSquares other) {
      this.other = other;
    }

    @Override
    public LeastSquaresPlan plan() {
      return other.plan();
    }

    @Override
    public double unitPenalty(Side side) {
      return other.unitPenalty(side);
    }

    @Override
    public double solve(Side side, FactorModel factors) {
      return other.solve(side, factors);
    }

    @Override
    public void close() {
      other.close();
    }
  }
}
