package org.pecf.tools.selftest;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.PairwiseMode;
import org.pecf.api.compute.PairwisePenalties;
import org.pecf.api.compute.PairwiseRequest;
import org.pecf.api.compute.PairwiseSgd;
import org.pecf.api.compute.RankingRequest;
import org.pecf.api.compute.Ridge;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Seed;

/** The rates of a backend, measured on grids that grow until a measurement takes long enough. */
public final class BackendRates {
  private final SessionSource sessions;
  private final BufferAllocator allocator;

  /** Prepare to measure. */
  public BackendRates(SessionSource sessions) {
    this.sessions = sessions;
    this.allocator = sessions.allocator();
  }

  /**
   * Measure every kernel.
   *
   * @param seconds the time that a measurement must take before grids stop growing
   * @param rates receives each rate as soon as it is known
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

  /** The time that something took, and the amount of work. */
  private record Timing(double seconds, double work) {}

  private Rate grow(
      String name, double enough, String unit, int start, Function<Integer, Timing> measurement) {
    Timing timing = measurement.apply(start);
    // Grids of 16,384 users are as large as a measurement need be.
    for (int users = 2 * start; timing.seconds() < enough && users <= 1 << 14; users *= 2) {
      sessions.cancellation().check();
      timing = measurement.apply(users);
    }
    double rate = timing.work() / timing.seconds();
    double share =
        unit.equals("flop")
            ? sessions.backend().peakRates().map(peak -> rate / peak.flops()).orElse(Double.NaN)
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
    try (RateData data = RateData.of(allocator, shape, 50)) {
      double seconds = in(shape, path, session -> operation.seconds(session, data));
      return new Timing(seconds, work.applyAsDouble(shape));
    }
  }

  /** An operation that measures itself. */
  private interface TimedOperation {
    double seconds(ComputeSession session, RateData data);
  }

  private Timing timeSweep(int users, int rank, ComputationPath path) {
    return time(
        users,
        path,
        (session, data) -> {
          LeastSquaresRequest request =
              new LeastSquaresRequest(data.weights(), data.ratings(), rank, new Ridge(0.3, 0.5, 0));
          try (FactorModel model = RateData.model(allocator, data.first().shape(), rank, "start");
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
    try (RateData data = RateData.of(allocator, shape, 50)) {
      return in(
          shape,
          ComputationPath.DENSE,
          session -> {
            try (FactorModel model = RateData.model(allocator, shape, 50, "start");
                PairwiseSgd training =
                    session.pairwise(request(data.positives(), PairwiseMode.LOCK_FREE))) {
              training.epoch(model, 0, 0.01);
              double seconds = seconds(() -> training.epoch(model, 1, 0.01));
              return new Timing(seconds, data.positives().count());
            }
          });
    }
  }

  private PairwiseRequest request(SparseCells positives, PairwiseMode mode) {
    return PairwiseRequest.of(
        positives, new PairwisePenalties(0.01, 0.02, 0.03), mode, new Seed(3));
  }

  private <T> T in(GridShape shape, ComputationPath path, Function<ComputeSession, T> use) {
    return sessions.in(shape, path, 1e-3, use);
  }
}
