package org.pecf.testkit.reference;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apiguardian.api.API;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputationPath;
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
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.RunListener;
import org.pecf.testkit.fixture.DirectParallelism;

/**
 * A session that runs all kernels cell by cell, straight from their definitions, in double
 * precision.
 *
 * <p>Faster backends are compared with it, and filters, weighting schemes and alpha strategies can
 * be tested on it without any backend. It works on the calling thread, visits every cell whatever
 * path was asked for, and polls cancellation once a row.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ReferenceComputeSession implements ComputeSession {
  private final SessionContext context;

  /** Open a session in a context. */
  public ReferenceComputeSession(SessionContext context) {
    this.context = context;
  }

  /** Open a session that is never cancelled and has no listener. */
  public ReferenceComputeSession(GridShape shape, BufferAllocator allocator) {
    this(
        new SessionContext(
            new RunContext(allocator, new DirectParallelism(), () -> false, RunListener.none()),
            shape,
            ComputationPath.AUTO,
            0));
  }

  @Override
  public FieldKernels fields() {
    return new ReferenceKernels();
  }

  @Override
  public MatrixKernels matrices() {
    return new ReferenceMatrices(context.run().cancellation());
  }

  @Override
  public LeastSquares leastSquares(LeastSquaresRequest request) {
    ReferenceLeastSquares problem =
        new ReferenceLeastSquares(request, context.shape(), context.run().cancellation());
    context.run().listener().on(problem.plan());
    return problem;
  }

  @Override
  public PairwiseSgd pairwise(PairwiseRequest request) {
    return new ReferencePairwise(request, context.run().cancellation());
  }

  @Override
  public RankedItems rank(RankingRequest request) {
    if (request.firstUser() + request.users() > context.shape().users()) {
      throw new IllegalArgumentException(
          String.format(
              "users up to %s of %s",
              request.firstUser() + request.users(), context.shape().users()));
    }
    int items = context.shape().items();
    RankedItems lists = allocate(request);
    try {
      for (int row = 0; row < request.users(); row++) {
        context.run().cancellation().check();
        int user = request.firstUser() + row;
        float[] scores = new float[items];
        for (int item = 0; item < items; item++) {
          scores[item] = request.scores().valueAt(user, item);
        }
        int[] best =
            IntStream.range(0, items)
                .filter(item -> ranked(request, user, item))
                .boxed()
                .sorted(
                    Comparator.<Integer>comparingDouble(item -> -scores[item])
                        .thenComparing(Comparator.naturalOrder()))
                .limit(request.depth())
                .mapToInt(Integer::intValue)
                .toArray();
        float[] bestScores = new float[best.length];
        for (int place = 0; place < best.length; place++) {
          bestScores[place] = scores[best[place]];
        }
        lists.set(row, best.length, best, bestScores);
      }
      return lists;
    } catch (RuntimeException | Error e) {
      lists.close();
      throw e;
    }
  }

  private RankedItems allocate(RankingRequest request) {
    try {
      return RankedItems.allocate(context.run().allocator(), request.users(), request.depth());
    } catch (OutOfMemoryException e) {
      long bytes = request.users() * (Integer.BYTES + 2L * request.depth() * Float.BYTES);
      throw PecfException.resources(
              "The ranked lists take %s bytes, where %s are left. Raise the memory limit, or rank"
                  + " fewer users at a time.",
              bytes, context.run().allocator().getHeadroom())
          .causedBy(e);
    }
  }

  private static boolean ranked(RankingRequest request, int user, int item) {
    return request.excluded().stream().noneMatch(cells -> cells.contains(user, item))
        && request.candidates().stream().allMatch(mask -> mask.valueAt(user, item) == 1);
  }

  @Override
  public void close() {}

  /** Field kernels by {@link CellField#valueAt}. */
  private final class ReferenceKernels implements FieldKernels {
    @Override
    public double[] sums(List<CellField> fields) {
      double[] sums = new double[fields.size()];
      for (int user = 0; user < context.shape().users(); user++) {
        context.run().cancellation().check();
        for (int item = 0; item < context.shape().items(); item++) {
          for (int k = 0; k < sums.length; k++) {
            sums[k] += fields.get(k).valueAt(user, item);
          }
        }
      }
      return sums;
    }

    @Override
    public void gather(CellField field, SparseCells cells, ArrowBuf values) {
      for (int user = 0; user < cells.users(); user++) {
        context.run().cancellation().check();
        for (int k = cells.userStart(user); k < cells.userStart(user + 1); k++) {
          values.setFloat((long) k * Float.BYTES, field.valueAt(user, cells.itemAt(k)));
        }
      }
    }

    @Override
    public void fill(CellField field, int firstUser, int firstItem, FloatMatrix tile) {
      for (int row = 0; row < tile.rows(); row++) {
        context.run().cancellation().check();
        for (int column = 0; column < tile.columns(); column++) {
          tile.set(row, column, field.valueAt(firstUser + row, firstItem + column));
        }
      }
    }
  }
}
