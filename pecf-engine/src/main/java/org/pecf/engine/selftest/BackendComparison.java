package org.pecf.engine.selftest;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.RankedItems;
import org.pecf.api.compute.RankingRequest;
import org.pecf.api.compute.Ridge;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.field.Apply;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Linear;
import org.pecf.api.field.PartMask;
import org.pecf.api.field.Posterior;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Cancellation;
import org.pecf.api.run.Parallelism;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.Seed;
import org.pecf.engine.plugin.Backend;

/**
 * A comparison of a backend with another one on grids of which it must make several pieces: rows of
 * equations that two streams solve in turn, panels, tiles of cells.
 */
public final class BackendComparison {
  /**
   * The difference between the results of two backends.
   *
   * @param name the operation
   * @param seconds the elapsed time on the tested backend
   * @param referenceSeconds the elapsed time on the other one
   * @param largest the largest difference between two values, as a share of the largest value
   * @param bound the largest share that rounding explains
   */
  public record Difference(
      String name, double seconds, double referenceSeconds, double largest, double bound) {
    /** Return whether both backends compute the same, but for rounding. */
    public boolean agrees() {
      return largest <= bound;
    }
  }

  /**
   * A source of sessions of a backend, each for one measurement.
   *
   * @param backend the backend
   * @param allocator the memory for the data of measurements
   * @param parallelism the threads that sessions use
   * @param cancellation polled between measurements and by sessions
   */
  public record SessionSource(
      Backend backend,
      BufferAllocator allocator,
      Parallelism parallelism,
      Cancellation cancellation) {
    /** Return a source of sessions of another backend. */
    public SessionSource with(Backend other) {
      return new SessionSource(other, allocator, parallelism, cancellation);
    }

    /** Use a session, and close it. */
    <T> T in(
        GridShape shape,
        ComputationPath path,
        double weightError,
        Function<ComputeSession, T> use) {
      SessionContext context =
          new SessionContext(
              new RunContext(allocator, parallelism, cancellation, event -> {}),
              shape,
              path,
              weightError);
      try (ComputeSession session = backend.open(context)) {
        return use.apply(session);
      }
    }
  }

  /** Both backends give cells of the background the same weight, however coarse. */
  private static final double WEIGHT_ERROR = 0.25;

  private static final double FACTOR_BOUND = 5e-3;
  private static final double SUM_BOUND = 1e-4;
  private static final int LIST = 100;

  private final SessionSource tested;
  private final SessionSource reference;
  private final int unit;
  private final int rank;

  /**
   * Prepare to compare.
   *
   * @param tested the sessions of the tested backend
   * @param reference the sessions of the one that it is compared with
   * @param large whether grids have 9,000 × 1,100 cells and more, and factors a rank of 200; the
   *     processor takes a minute for them
   */
  public BackendComparison(SessionSource tested, SessionSource reference, boolean large) {
    this.tested = tested;
    this.reference = reference;
    this.unit = large ? 100 : 1;
    this.rank = large ? 200 : 20;
  }

  /**
   * Compare every kind of work.
   *
   * @param differences receives each difference as soon as it is known
   */
  public void compare(Consumer<Difference> differences) {
    GridShape tall = new GridShape(90 * unit, 11 * unit);
    GridShape wide = new GridShape(11 * unit, 90 * unit);
    for (ComputationPath path : List.of(ComputationPath.DENSE, ComputationPath.CORRECTED)) {
      differences.accept(halfSweep(path, tall, Side.USERS));
      differences.accept(halfSweep(path, wide, Side.ITEMS));
    }
    GridShape large = new GridShape(90 * unit, 44 * unit);
    differences.accept(sums(large));
    differences.accept(ranking(large));
  }

  private Difference halfSweep(ComputationPath path, GridShape shape, Side side) {
    String name =
        String.format(
            Locale.ROOT,
            "%s half-sweep of %s, %s, rank %d",
            path == ComputationPath.DENSE ? "dense" : "corrected",
            side == Side.USERS ? "users" : "items",
            name(shape),
            rank);
    try (MadeUpData data = MadeUpData.of(tested.allocator(), shape, rank)) {
      return compare(name, path, shape, FACTOR_BOUND, session -> solve(session, data, side));
    }
  }

  private static String name(GridShape shape) {
    return String.format(Locale.ROOT, "%,d x %,d", shape.users(), shape.items());
  }

  /** Return the solved factors, and last the objective relative to itself and the factors. */
  private double[] solve(ComputeSession session, MadeUpData data, Side side) {
    LeastSquaresRequest request =
        new LeastSquaresRequest(data.weights(), data.ratings(), rank, new Ridge(3, 5, 0));
    try (FactorModel model =
            MadeUpData.model(tested.allocator(), data.first().shape(), rank, "start");
        LeastSquares problem = session.leastSquares(request)) {
      problem.solve(side, model);
      double objective = problem.solve(side, model);
      FloatMatrix solved = model.side(side);
      double[] values = new double[solved.rows() * rank + 1];
      double largest = 0;
      for (int k = 0; k + 1 < values.length; k++) {
        values[k] = solved.get(k / rank, k % rank);
        largest = Math.max(largest, Math.abs(values[k]));
      }
      // Cells and penalties make it: one part in a hundred of them counts as much as a factor.
      values[values.length - 1] = largest * 100 * objective / data.first().shape().cells();
      return values;
    }
  }

  private Difference sums(GridShape shape) {
    try (MadeUpData data = MadeUpData.of(tested.allocator(), shape, 16)) {
      return compare(
          "sums of weights, " + name(shape),
          ComputationPath.DENSE,
          shape,
          SUM_BOUND,
          session -> session.fields().sums(List.of(data.weights(), data.residual())));
    }
  }

  private Difference ranking(GridShape shape) {
    try (MadeUpData data = MadeUpData.of(tested.allocator(), shape, 16)) {
      RankingRequest request =
          new RankingRequest(
              data.prediction(),
              0,
              shape.users(),
              LIST,
              List.of(data.positives()),
              Optional.empty());
      return compare(
          "best " + LIST + " items, " + name(shape),
          ComputationPath.DENSE,
          shape,
          SUM_BOUND,
          session -> {
            try (RankedItems lists = session.rank(request)) {
              double[] scores = new double[shape.users() * LIST];
              for (int user = 0; user < shape.users(); user++) {
                for (int place = 0; place < lists.count(user); place++) {
                  scores[user * LIST + place] = lists.score(user, place);
                }
              }
              return scores;
            }
          });
    }
  }

  private Difference compare(
      String name,
      ComputationPath path,
      GridShape shape,
      double bound,
      Function<ComputeSession, double[]> work) {
    Timed actual = timed(tested, path, shape, work);
    Timed expected = timed(reference, path, shape, work);
    double size = 0;
    double largest = 0;
    for (int k = 0; k < expected.values().length; k++) {
      size = Math.max(size, Math.abs(expected.values()[k]));
      double distance = Math.abs(expected.values()[k] - actual.values()[k]);
      largest = Double.isNaN(distance) ? Double.NaN : Math.max(largest, distance);
    }
    return new Difference(
        name, actual.seconds(), expected.seconds(), size == 0 ? 0 : largest / size, bound);
  }

  /** The values that a backend computes, and the time that it takes. */
  private record Timed(double[] values, double seconds) {}

  private static Timed timed(
      SessionSource source,
      ComputationPath path,
      GridShape shape,
      Function<ComputeSession, double[]> work) {
    source.cancellation().check();
    return source.in(
        shape,
        path,
        WEIGHT_ERROR,
        session -> {
          long start = System.nanoTime();
          double[] values = work.apply(session);
          return new Timed(values, (System.nanoTime() - start) / 1e9);
        });
  }

  /** Made-up ratings and models of a grid, always the same, and the fields that are measured. */
  private record MadeUpData(
      SparseCells positives, SparseCells held, FactorModel first, FactorModel second)
      implements AutoCloseable {
    private static final Seed SEED = new Seed(20);

    static MadeUpData of(BufferAllocator allocator, GridShape shape, int rank) {
      return new MadeUpData(
          cells(allocator, shape, 8, 0),
          cells(allocator, shape, 20, 3),
          model(allocator, shape, rank, "first"),
          model(allocator, shape, rank, "second"));
    }

    /**
     * Choose one of the given number of cells by hashes; none of the first user, so that a row is
     * empty.
     */
    private static SparseCells cells(
        BufferAllocator allocator, GridShape shape, int oneOf, int salt) {
      int[] users = new int[Math.toIntExact(shape.cells() / oneOf * 2 + 64)];
      int[] items = new int[users.length];
      int count = 0;
      for (int user = 1; user < shape.users(); user++) {
        for (int item = 0; item < shape.items() && count < users.length; item++) {
          if (Integer.remainderUnsigned(PartMask.hash(31 * user + salt, item), oneOf) == 0) {
            users[count] = user;
            items[count++] = item;
          }
        }
      }
      return SparseCells.ofSorted(allocator, shape.users(), shape.items(), count, users, items);
    }

    static FactorModel model(BufferAllocator allocator, GridShape shape, int rank, String label) {
      FactorModel model = FactorModel.allocate(allocator, shape, rank);
      fill(model.users(), SEED.child(label).child("users"));
      fill(model.items(), SEED.child(label).child("items"));
      return model;
    }

    private static void fill(FloatMatrix matrix, Seed seed) {
      float[] row = new float[matrix.columns()];
      double deviation = 1 / Math.sqrt(Math.sqrt(matrix.columns()));
      for (int k = 0; k < matrix.rows(); k++) {
        seed.child("row", k).fillNormal(row, 0.5 * deviation);
        matrix.writeRows(k, 1, row);
      }
    }

    CellField ratings() {
      return CellField.observed(positives, 1, 0);
    }

    CellField prediction() {
      return new Linear(
          List.of(
              new Linear.Term(0.6f, CellField.score(first)),
              new Linear.Term(0.3f, CellField.score(second))));
    }

    CellField residual() {
      return CellField.difference(ratings(), prediction());
    }

    /** The weights of a progressive round. */
    CellField weights() {
      return CellField.product(
          CellField.observed(positives, 1, 0.01f),
          CellField.observed(held, 0, 1),
          new Apply(new Posterior(10, 1, 11), List.of(residual())));
    }

    @Override
    public void close() {
      positives.close();
      held.close();
      first.close();
      second.close();
    }
  }
}
