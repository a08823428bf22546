package org.pecf.tools.selftest;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.PairwiseEpoch;
import org.pecf.api.compute.PairwiseMode;
import org.pecf.api.compute.PairwisePenalties;
import org.pecf.api.compute.PairwiseRequest;
import org.pecf.api.compute.PairwiseSgd;
import org.pecf.api.compute.RankedItems;
import org.pecf.api.compute.RankingRequest;
import org.pecf.api.compute.Ridge;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.field.CellField;
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
 * Let a backend do everything that backends do, on sizes beside the multiples of any tile, and
 * compare each result with another backend's; then measure it.
 */
public final class BackendSelftest {
  private static final int[] RANKS = {1, 7, 50, 109, 150, 257};
  private static final double VALUES = 1e-5;
  private static final double SOLUTIONS = 3e-4;

  private final Backend tested;
  private final Backend reference;
  private final BufferAllocator allocator;
  private final Parallelism parallelism;
  private final Cancellation cancellation;

  /**
   * Prepare a test.
   *
   * @param tested the backend to test
   * @param reference the backend to trust
   */
  public BackendSelftest(
      Backend tested,
      Backend reference,
      BufferAllocator allocator,
      Parallelism parallelism,
      Cancellation cancellation) {
    this.tested = tested;
    this.reference = reference;
    this.allocator = allocator;
    this.parallelism = parallelism;
    this.cancellation = cancellation;
  }

  // Agreement

  /** Compare everything; each outcome is handed over as soon as it is known. */
  public void check(Consumer<Check> outcomes) {
    for (int[] size : new int[][] {{65, 130}, {1, 37}, {37, 1}}) {
      GridShape shape = new GridShape(size[0], size[1]);
      String on = " on " + size[0] + " x " + size[1];
      compare("fields by tiles" + on, VALUES, shape, outcomes, this::filled);
      compare("fields at listed cells" + on, VALUES, shape, outcomes, this::gathered);
      compare("sums of fields" + on, VALUES, shape, outcomes, this::sums);
      compare("best items" + on, VALUES, shape, outcomes, this::ranked);
    }
    for (int rank : RANKS) {
      for (ComputationPath path : List.of(ComputationPath.DENSE, ComputationPath.CORRECTED)) {
        compare(
            path.name().toLowerCase(Locale.ROOT) + " half-sweeps of rank " + rank,
            SOLUTIONS,
            rank > 100 ? new GridShape(9, 13) : new GridShape(33, 65),
            path,
            outcomes,
            (session, data) -> solved(session, data, rank));
      }
    }
    for (int order : new int[] {1, 65, 300}) {
      GridShape shape = new GridShape(order, order);
      compare("a product of order " + order, SOLUTIONS, shape, outcomes, this::multiplied);
      compare("an inverse of order " + order, SOLUTIONS, shape, outcomes, this::inverted);
    }
    for (PairwiseMode mode : PairwiseMode.values()) {
      String name = mode.name().toLowerCase(Locale.ROOT).replace('_', '-');
      compare(
          "a pairwise step, " + name,
          VALUES,
          new GridShape(1, 2),
          outcomes,
          (session, data) -> stepped(session, data, mode));
      compare(
          "pairwise loss after ten epochs, " + name,
          0.1,
          new GridShape(100, 90),
          outcomes,
          (session, data) -> new float[] {(float) trained(session, data, mode)});
    }
    outcomes.accept(
        measured(
            "equal bits twice",
            0,
            () -> {
              GridShape shape = new GridShape(100, 90);
              float[] once = run(tested, shape, ComputationPath.DENSE, this::everything);
              float[] again = run(tested, shape, ComputationPath.DENSE, this::everything);
              return difference(once, again);
            }));
  }

  /** Compute the numbers that are compared. */
  private interface Computation {
    float[] of(ComputeSession session, SelftestData data);
  }

  private void compare(
      String name,
      double allowed,
      GridShape shape,
      Consumer<Check> outcomes,
      Computation computation) {
    compare(name, allowed, shape, ComputationPath.DENSE, outcomes, computation);
  }

  private void compare(
      String name,
      double allowed,
      GridShape shape,
      ComputationPath path,
      Consumer<Check> outcomes,
      Computation computation) {
    outcomes.accept(
        measured(
            name,
            allowed,
            () ->
                difference(
                    run(reference, shape, path, computation),
                    run(tested, shape, path, computation))));
  }

  private Check measured(String name, double allowed, DoubleSupplier difference) {
    try {
      return new Check(name, difference.getAsDouble(), allowed, "");
    } catch (PecfException e) {
      if (e.code() == ErrorCode.CANCELLED) {
        throw e;
      }
      return new Check(name, Double.NaN, allowed, e.getMessage());
    }
  }

  private float[] run(
      Backend backend, GridShape shape, ComputationPath path, Computation computation) {
    try (SelftestData data = SelftestData.of(allocator, shape, 5)) {
      return in(backend, shape, path, session -> computation.of(session, data));
    }
  }

  private <T> T in(
      Backend backend, GridShape shape, ComputationPath path, Function<ComputeSession, T> use) {
    SessionContext context =
        new SessionContext(
            new RunContext(allocator, parallelism, cancellation, event -> {}), shape, path, 1e-3);
    try (ComputeSession session = backend.open(context)) {
      return use.apply(session);
    }
  }

  /**
   * Return the largest difference, relative to one or the expected value; infinite where only one
   * of two values is a number.
   */
  static double difference(float[] expected, float[] actual) {
    if (expected.length != actual.length) {
      return Double.POSITIVE_INFINITY;
    }
    double largest = 0;
    for (int k = 0; k < expected.length; k++) {
      if (Float.compare(expected[k], actual[k]) == 0) {
        continue;
      }
      double difference =
          Math.abs((double) expected[k] - actual[k]) / Math.max(1, Math.abs(expected[k]));
      largest =
          difference <= largest ? largest : difference < Double.MAX_VALUE ? difference : 1e300;
    }
    return largest;
  }

  private float[] filled(ComputeSession session, SelftestData data) {
    GridShape shape = data.first().shape();
    List<float[]> parts = new ArrayList<>();
    for (CellField field : data.fields()) {
      try (FloatMatrix tile = FloatMatrix.allocate(allocator, shape.users(), shape.items())) {
        session.fields().fill(field, 0, 0, tile);
        parts.add(values(tile));
      }
    }
    return join(parts);
  }

  private float[] gathered(ComputeSession session, SelftestData data) {
    List<float[]> parts = new ArrayList<>();
    SparseCells cells = data.positives();
    for (CellField field : data.fields()) {
      try (ArrowBuf values = allocator.buffer(Math.max(1, 4L * cells.count()))) {
        session.fields().gather(field, cells, values);
        float[] part = new float[cells.count()];
        for (int k = 0; k < part.length; k++) {
          part[k] = values.getFloat(4L * k);
        }
        parts.add(part);
      }
    }
    return join(parts);
  }

  private float[] sums(ComputeSession session, SelftestData data) {
    double[] sums = session.fields().sums(data.fields());
    float[] means = new float[sums.length];
    for (int k = 0; k < sums.length; k++) {
      means[k] = (float) (sums[k] / data.first().shape().cells());
    }
    return means;
  }

  /** The scores of each list, and how long it is: items of equal scores may change places. */
  private float[] ranked(ComputeSession session, SelftestData data) {
    GridShape shape = data.first().shape();
    try (RankedItems lists =
        session.rank(
            new RankingRequest(
                data.prediction(),
                0,
                shape.users(),
                20,
                List.of(data.positives(), data.held()),
                Optional.of(data.training())))) {
      float[] scores = new float[shape.users() * 21];
      for (int user = 0; user < shape.users(); user++) {
        scores[user * 21] = lists.count(user);
        for (int place = 0; place < lists.count(user); place++) {
          scores[user * 21 + 1 + place] = lists.score(user, place);
        }
      }
      return scores;
    }
  }

  private float[] solved(ComputeSession session, SelftestData data, int rank) {
    LeastSquaresRequest request =
        new LeastSquaresRequest(data.weights(), data.residual(), rank, new Ridge(0.3, 0.5, 0.5));
    List<float[]> parts = new ArrayList<>();
    for (Side side : Side.values()) {
      try (FactorModel model = SelftestData.model(allocator, data.first().shape(), rank, "start");
          LeastSquares problem = session.leastSquares(request)) {
        parts.add(new float[] {(float) problem.solve(side, model)});
        parts.add(values(model.side(side)));
      }
    }
    return join(parts);
  }

  private float[] multiplied(ComputeSession session, SelftestData data) {
    int order = data.first().shape().users();
    try (FloatMatrix left = square(order);
        FloatMatrix right = square(order);
        FloatMatrix product = FloatMatrix.allocate(allocator, order, order)) {
      session.matrices().multiply(left, right, product);
      return values(product);
    }
  }

  private float[] inverted(ComputeSession session, SelftestData data) {
    int order = data.first().shape().users();
    try (FloatMatrix matrix = square(order)) {
      session.matrices().invert(matrix);
      return values(matrix);
    }
  }

  /** Make a symmetric matrix with a heavy diagonal. */
  private FloatMatrix square(int order) {
    FloatMatrix matrix = FloatMatrix.allocate(allocator, order, order);
    for (int row = 0; row < order; row++) {
      for (int column = 0; column < order; column++) {
        double wave = Math.cos(0.7 * (row + column)) / order;
        matrix.set(row, column, (float) (row == column ? 2 + wave : wave));
      }
    }
    return matrix;
  }

  private PairwiseRequest request(SparseCells positives, PairwiseMode mode) {
    return PairwiseRequest.of(
        positives, new PairwisePenalties(0.01, 0.02, 0.03), mode, new Seed(3));
  }

  /** With one positive and one other item there is but one sample. */
  private float[] stepped(ComputeSession session, SelftestData data, PairwiseMode mode) {
    try (SparseCells positive =
            SparseCells.ofSorted(allocator, 1, 2, 1, new int[] {0}, new int[] {1});
        FactorModel model = SelftestData.model(allocator, new GridShape(1, 2), 70, "start");
        PairwiseSgd training = session.pairwise(request(positive, mode))) {
      PairwiseEpoch epoch = training.epoch(model, 0, 0.1);
      return join(
          List.of(
              new float[] {epoch.samples(), (float) epoch.loss(), (float) epoch.auc()},
              values(model.users()),
              values(model.items())));
    }
  }

  private double trained(ComputeSession session, SelftestData data, PairwiseMode mode) {
    try (FactorModel model = SelftestData.model(allocator, data.first().shape(), 8, "start");
        PairwiseSgd training = session.pairwise(request(data.positives(), mode))) {
      double loss = 0;
      for (int epoch = 0; epoch < 10; epoch++) {
        loss = training.epoch(model, epoch, 0.05).loss();
      }
      return loss;
    }
  }

  private float[] everything(ComputeSession session, SelftestData data) {
    return join(
        List.of(
            filled(session, data),
            sums(session, data),
            ranked(session, data),
            solved(session, data, 9),
            new float[] {(float) trained(session, data, PairwiseMode.DETERMINISTIC)}));
  }

  private static float[] values(FloatMatrix matrix) {
    float[] values = new float[matrix.rows() * matrix.columns()];
    matrix.readRows(0, matrix.rows(), values);
    return values;
  }

  private static float[] join(List<float[]> parts) {
    float[] all = new float[parts.stream().mapToInt(part -> part.length).sum()];
    int at = 0;
    for (float[] part : parts) {
      System.arraycopy(part, 0, all, at, part.length);
      at += part.length;
    }
    return all;
  }

  // Speed

  /**
   * Measure, on grids that grow until a measurement takes long enough to mean something.
   *
   * @param seconds how long is enough
   */
  public void measure(double seconds, Consumer<Rate> rates) {
    rates.accept(grow("matrix product, copies included", seconds, "flop", 128, this::timeProduct));
    for (int rank : new int[] {50, 150}) {
      rates.accept(
          grow(
              "dense half-sweep of rank " + rank,
              seconds,
              "flop",
              16,
              users -> timeSweep(users, rank, ComputationPath.DENSE)));
    }
    rates.accept(
        grow(
            "corrected half-sweep of rank 50",
            seconds,
            "cell",
            16,
            users -> timeSweep(users, 50, ComputationPath.CORRECTED)));
    rates.accept(grow("weights of all cells", seconds, "cell", 16, this::timeWeights));
    rates.accept(grow("best 100 items of users", seconds, "cell", 16, this::timeRanking));
    rates.accept(grow("pairwise samples", seconds, "sample", 16, this::timePairwise));
  }

  /** How long something took, and how much was done. */
  private record Timing(double seconds, double work) {}

  private Rate grow(
      String name, double enough, String unit, int start, Function<Integer, Timing> measurement) {
    Timing timing = measurement.apply(start);
    // Grids of 16,384 users are as large as a measurement need be.
    for (int users = 2 * start; timing.seconds() < enough && users <= 1 << 14; users *= 2) {
      cancellation.check();
      timing = measurement.apply(users);
    }
    double rate = timing.work() / timing.seconds();
    double share =
        unit.equals("flop")
            ? tested.peakRates().map(peak -> rate / peak.flops()).orElse(Double.NaN)
            : Double.NaN;
    return new Rate(name, timing.seconds(), timing.work(), unit, share);
  }

  private static double seconds(Runnable work) {
    long start = System.nanoTime();
    work.run();
    return (System.nanoTime() - start) / 1e9;
  }

  private Timing timeProduct(int order) {
    return in(
        tested,
        new GridShape(1, 1),
        ComputationPath.DENSE,
        session -> {
          try (FloatMatrix left = FloatMatrix.allocate(allocator, order, order);
              FloatMatrix right = FloatMatrix.allocate(allocator, order, order);
              FloatMatrix product = FloatMatrix.allocate(allocator, order, order)) {
            session.matrices().multiply(left, right, product);
            double seconds = seconds(() -> session.matrices().multiply(left, right, product));
            return new Timing(seconds, 2.0 * order * order * order);
          }
        });
  }

  private static GridShape wide(int users) {
    return new GridShape(users, Math.min(4096, 4 * users));
  }

  private Timing time(
      int users, ComputationPath path, TimedOperation operation, ToDoubleFunction<GridShape> work) {
    GridShape shape = wide(users);
    try (SelftestData data = SelftestData.of(allocator, shape, 50)) {
      double seconds = in(tested, shape, path, session -> operation.seconds(session, data));
      return new Timing(seconds, work.applyAsDouble(shape));
    }
  }

  private interface TimedOperation {
    double seconds(ComputeSession session, SelftestData data);
  }

  private Timing timeSweep(int users, int rank, ComputationPath path) {
    return time(
        users,
        path,
        (session, data) -> {
          LeastSquaresRequest request =
              new LeastSquaresRequest(data.weights(), data.ratings(), rank, new Ridge(0.3, 0.5, 0));
          try (FactorModel model =
                  SelftestData.model(allocator, data.first().shape(), rank, "start");
              LeastSquares problem = session.leastSquares(request)) {
            problem.solve(Side.USERS, model);
            return seconds(() -> problem.solve(Side.ITEMS, model));
          }
        },
        shape ->
            path == ComputationPath.DENSE
                ? (double) shape.cells() * rank * (rank + 1)
                : shape.cells());
  }

  private Timing timeWeights(int users) {
    return time(
        users,
        ComputationPath.DENSE,
        (session, data) -> {
          session.fields().sums(List.of(data.weights()));
          return seconds(() -> session.fields().sums(List.of(data.weights())));
        },
        GridShape::cells);
  }

  private Timing timeRanking(int users) {
    return time(
        users,
        ComputationPath.DENSE,
        (session, data) -> {
          RankingRequest request =
              new RankingRequest(
                  data.prediction(),
                  0,
                  data.first().shape().users(),
                  100,
                  List.of(data.positives()),
                  Optional.empty());
          session.rank(request).close();
          return seconds(() -> session.rank(request).close());
        },
        GridShape::cells);
  }

  private Timing timePairwise(int users) {
    GridShape shape = wide(users);
    try (SelftestData data = SelftestData.of(allocator, shape, 50)) {
      return in(
          tested,
          shape,
          ComputationPath.DENSE,
          session -> {
            try (FactorModel model = SelftestData.model(allocator, shape, 50, "start");
                PairwiseSgd training =
                    session.pairwise(request(data.positives(), PairwiseMode.LOCK_FREE))) {
              training.epoch(model, 0, 0.01);
              double seconds = seconds(() -> training.epoch(model, 1, 0.01));
              return new Timing(seconds, data.positives().count());
            }
          });
    }
  }
}
