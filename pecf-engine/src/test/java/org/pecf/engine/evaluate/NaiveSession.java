package org.pecf.engine.evaluate;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.FieldKernels;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.RankedItems;
import org.pecf.api.compute.RankingRequest;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;

/** Rank and sum cell by cell. */
record NaiveSession(GridShape shape, BufferAllocator allocator)
    implements ComputeSession, FieldKernels {
  @Override
  public FieldKernels fields() {
    return this;
  }

  @Override
  public LeastSquares leastSquares(LeastSquaresRequest request) {
    throw new UnsupportedOperationException();
  }

  @Override
  public RankedItems rank(RankingRequest request) {
    RankedItems lists = RankedItems.allocate(allocator, request.users(), request.depth());
    for (int row = 0; row < request.users(); row++) {
      int user = request.firstUser() + row;
      int[] best =
          IntStream.range(0, shape.items())
              .filter(i -> request.excluded().stream().noneMatch(cells -> cells.contains(user, i)))
              .filter(i -> request.candidates().stream().allMatch(m -> m.valueAt(user, i) == 1))
              .boxed()
              .sorted(Comparator.comparingDouble(i -> -request.scores().valueAt(user, i)))
              .limit(request.depth())
              .mapToInt(Integer::intValue)
              .toArray();
      lists.set(row, best.length, best, new float[best.length]);
    }
    return lists;
  }

  @Override
  public double[] sums(List<CellField> fields) {
    double[] sums = new double[fields.size()];
    for (int user = 0; user < shape.users(); user++) {
      for (int item = 0; item < shape.items(); item++) {
        for (int k = 0; k < sums.length; k++) {
          sums[k] += fields.get(k).valueAt(user, item);
        }
      }
    }
    return sums;
  }

  @Override
  public void gather(CellField field, SparseCells cells, ArrowBuf values) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void fill(CellField field, int firstUser, int firstItem, FloatMatrix tile) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
