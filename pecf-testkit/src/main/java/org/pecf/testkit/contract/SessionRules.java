package org.pecf.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.PairwiseMode;
import org.pecf.api.compute.PairwiseSgd;
import org.pecf.api.compute.RankedItems;
import org.pecf.api.compute.Ridge;
import org.pecf.api.field.CellField;
import org.pecf.api.field.HostField;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.Side;
import org.pecf.api.run.Parallelism;
import org.pecf.testkit.contract.Grid.NamedField;
import org.pecf.testkit.fixture.Buffers;
import org.pecf.testkit.fixture.CountdownCancellation;
import org.pecf.testkit.fixture.DirectParallelism;
import org.pecf.testkit.fixture.ThreadedParallelism;

/** The rules for whole sessions: repeatability, cancellation, failures, memory and inputs. */
final class SessionRules {
  private final BackendSessions sessions;
  private final BufferAllocator allocator;
  private final MatrixRules matrices;

  SessionRules(BackendSessions sessions) {
    this.sessions = sessions;
    this.allocator = sessions.allocator();
    this.matrices = new MatrixRules(sessions);
  }

  void givesTheSameBitsAtAnyThreadCountAndTaskOrder() {
    Map<String, Parallelism> ways = new LinkedHashMap<>();
    ways.put("a second time", new DirectParallelism());
    ways.put("two threads", new ThreadedParallelism(2));
    ways.put("three threads", new ThreadedParallelism(3));
    ways.put("tasks shuffled", new DirectParallelism().withThreads(3).shuffled(1));
    try (Grid grid =
        Grid.of(allocator, sessions.tiledShape().users(), sessions.tiledShape().items(), 16)) {
      for (ComputationPath path : List.of(ComputationPath.DENSE, ComputationPath.CORRECTED)) {
        SessionSetup setup = SessionSetup.DENSE.with(path, 0.1);
        List<Object> once = everything(grid, setup);
        ways.forEach(
            (name, parallelism) ->
                assertEquals(
                    once, everything(grid, setup.with(parallelism)), path + " path: " + name));
      }
    }
  }

  /** Run every kernel once and return all bits of the results. */
  private List<Object> everything(Grid grid, SessionSetup setup) {
    List<Object> bits = new ArrayList<>();
    int users = grid.shape().users();
    try (FactorModel model = sessions.start(grid, 6);
        FloatMatrix inverted = matrices.matrix(MatrixRules.positiveDefinite(130));
        ArrowBuf gathered = allocator.buffer((long) grid.positives().count() * Float.BYTES);
        FloatMatrix tile = FloatMatrix.allocate(allocator, users, grid.shape().items() / 2)) {
      sessions.use(
          grid.shape(),
          setup,
          session -> {
            for (double sum :
                session
                    .fields()
                    .sums(
                        List.of(grid.error(), CellField.square(grid.error()), grid.posterior()))) {
              bits.add(sum);
            }
            session.fields().gather(grid.posterior(), grid.positives(), gathered);
            for (int k = 0; k < grid.positives().count(); k++) {
              bits.add(gathered.getFloat((long) k * Float.BYTES));
            }
            session.fields().fill(grid.error(), 0, 3, tile);
            try (LeastSquares problem = session.leastSquares(grid.reweightedResiduals(6))) {
              bits.add(problem.solve(Side.USERS, model));
              bits.add(problem.solve(Side.ITEMS, model));
            }
            try (PairwiseSgd training =
                session.pairwise(
                    PairwiseRules.plain(grid.positives(), PairwiseMode.DETERMINISTIC))) {
              bits.add(training.epoch(model, 0, 0.1));
              bits.add(training.epoch(model, 1, 0.1));
            }
            try (RankedItems lists =
                RankingRules.rank(
                    session, grid.prediction(), 0, users, 9, List.of(grid.positives()))) {
              bits.addAll(RankingRules.lists(lists));
            }
            session.matrices().invert(inverted);
          });
      for (float value : Buffers.values(inverted)) {
        bits.add(value);
      }
      for (float value : Buffers.values(tile)) {
        bits.add(value);
      }
      for (float value : Buffers.values(model)) {
        bits.add(value);
      }
    }
    return bits;
  }

  void endsWithCancelledWhenAskedToStop() {
    try (Grid grid = Grid.of(allocator, 50, 30, 17)) {
      operations(grid)
          .forEach(
              (name, operation) -> {
                for (ComputationPath path :
                    List.of(ComputationPath.DENSE, ComputationPath.CORRECTED)) {
                  for (int polls : new int[] {0, 1, 2, 3, 5, 8}) {
                    assertCancelled(grid, name, operation, path, polls);
                  }
                }
              });
    }
  }

  private void assertCancelled(
      Grid grid, String name, Consumer<ComputeSession> operation, ComputationPath path, int polls) {
    CountdownCancellation token = new CountdownCancellation(polls);
    SessionSetup setup = SessionSetup.DENSE.with(path, 0.1).cancelledBy(token);
    String what = name + " on the " + path + " path, cancelled after " + polls + " polls";
    try {
      sessions.use(
          grid.shape(),
          setup,
          session -> {
            operation.accept(session);
          });
      assertTrue(polls > 0, what + ": never asks");
      assertFalse(token.answered(), what + ": goes on");
    } catch (PecfException e) {
      assertEquals(ErrorCode.CANCELLED, e.code(), what + ": " + e.getMessage());
      int later = token.polls() - polls;
      assertTrue(later <= 20, what + ": asked " + later + " times before it ended");
    }
  }

  private Map<String, Consumer<ComputeSession>> operations(Grid grid) {
    Map<String, Consumer<ComputeSession>> operations = new LinkedHashMap<>();
    operations.put(
        "sums", session -> session.fields().sums(List.of(grid.error(), grid.posterior())));
    operations.put(
        "gather",
        session -> {
          try (ArrowBuf values = allocator.buffer((long) grid.positives().count() * Float.BYTES)) {
            session.fields().gather(grid.error(), grid.positives(), values);
          }
        });
    operations.put(
        "least squares",
        session -> {
          try (FactorModel model = sessions.start(grid, 5);
              LeastSquares problem = session.leastSquares(grid.reweightedResiduals(5))) {
            problem.solve(Side.USERS, model);
            problem.solve(Side.ITEMS, model);
          }
        });
    for (PairwiseMode mode : PairwiseMode.values()) {
      operations.put(
          mode + " pairwise training",
          session -> {
            try (FactorModel model = sessions.start(grid, 5);
                PairwiseSgd training =
                    session.pairwise(PairwiseRules.plain(grid.positives(), mode))) {
              training.epoch(model, 0, 0.1);
            }
          });
    }
    operations.put(
        "rank",
        session ->
            RankingRules.rank(
                    session,
                    grid.prediction(),
                    0,
                    grid.shape().users(),
                    10,
                    List.of(grid.positives()))
                .close());
    operations.put(
        "invert",
        session -> {
          try (FloatMatrix matrix = matrices.matrix(MatrixRules.positiveDefinite(10))) {
            session.matrices().invert(matrix);
          }
        });
    return operations;
  }

  void passesOnTheFailuresOfHostFields() {
    try (Grid grid = Grid.of(allocator, 50, 45, 18)) {
      for (int calls : new int[] {0, 100, 2000}) {
        assertPassedOn(calls, grid, field -> session -> session.fields().sums(List.of(field)));
        assertPassedOn(
            calls,
            grid,
            field ->
                session -> {
                  try (FloatMatrix tile = FloatMatrix.allocate(allocator, 50, 45)) {
                    session.fields().fill(field, 0, 0, tile);
                  }
                });
        assertPassedOn(
            calls,
            grid,
            field ->
                session -> {
                  try (FactorModel model = sessions.start(grid, 3);
                      LeastSquares problem =
                          session.leastSquares(
                              new LeastSquaresRequest(
                                  field, grid.ratings(), 3, new Ridge(1, 1, 0)))) {
                    problem.solve(Side.USERS, model);
                  }
                });
      }
    }
  }

  /** A field that fails after a number of cells. */
  private record Failing(AtomicInteger left, RuntimeException failure) implements HostField {
    @Override
    public float valueAt(int user, int item) {
      if (left.getAndDecrement() <= 0) {
        throw failure;
      }
      return 1;
    }
  }

  private void assertPassedOn(
      int calls, Grid grid, Function<CellField, Consumer<ComputeSession>> operation) {
    for (Parallelism parallelism : List.of(new DirectParallelism(), new ThreadedParallelism(2))) {
      RuntimeException failure = new UnsupportedOperationException("failing on purpose");
      CellField field = new Failing(new AtomicInteger(calls), failure);
      try {
        sessions.use(
            grid.shape(),
            SessionSetup.DENSE.with(parallelism),
            session -> {
              operation.apply(field).accept(session);
            });
        fail("a host field's failure after " + calls + " cells is lost");
      } catch (RuntimeException e) {
        Throwable cause = e;
        while (cause != failure && cause.getCause() != null) {
          cause = cause.getCause();
        }
        assertEquals(failure, cause, "the failure that came out");
      }
    }
  }

  void refusesWhatDoesNotFitWithAFigure() {
    try (Grid grid = Grid.of(allocator, 50, 30, 19)) {
      operations(grid)
          .forEach(
              (name, operation) -> {
                boolean refused = false;
                for (long limit = 512; limit <= 1 << 20; limit *= 4) {
                  for (ComputationPath path :
                      List.of(ComputationPath.DENSE, ComputationPath.CORRECTED)) {
                    refused |= refuses(grid, name, operation, path, limit);
                  }
                }
                assertTrue(refused || !name.equals("rank"), "lists are not in the run's memory");
              });
    }
  }

  private boolean refuses(
      Grid grid,
      String name,
      Consumer<ComputeSession> operation,
      ComputationPath path,
      long limit) {
    try {
      sessions.use(
          grid.shape(),
          SessionSetup.DENSE.with(path, 0.1).limitedTo(limit),
          session -> {
            operation.accept(session);
          });
      return false;
    } catch (RuntimeException e) {
      String what = name + " within " + limit + " bytes";
      if (e instanceof OutOfMemoryException) {
        // The engine explains it, with the name of the backend.
        return true;
      }
      if (e instanceof PecfException refusal) {
        assertEquals(ErrorCode.RESOURCES, refusal.code(), what);
        assertTrue(
            refusal.getMessage().matches("(?s).*\\d.*"),
            what + ": no figure in '" + refusal.getMessage() + "'");
        return true;
      }
      throw new AssertionError(what + " ends with " + e, e);
    }
  }

  void leavesItsInputsAlone() {
    try (Grid grid = Grid.of(allocator, 20, 18, 9);
        FactorModel model = sessions.start(grid, 4)) {
      List<Integer> before = fingerprints(grid);
      for (Side side : Side.values()) {
        float[] other = Buffers.values(model.side(side.other()));
        for (SessionSetup setup : List.of(SessionSetup.DENSE, SessionSetup.CORRECTED)) {
          sessions.in(
              grid.shape(),
              setup,
              session -> SolutionRules.solve(session, grid.reweightedResiduals(4), side, model));
          assertArrayEquals(other, Buffers.values(model.side(side.other())), "the other side");
        }
      }
      sessions.use(
          grid.shape(),
          SessionSetup.DENSE,
          session -> {
            session.fields().sums(grid.fields().stream().map(NamedField::field).toList());
            RankingRules.rank(session, grid.prediction(), 0, 20, 5, List.of(grid.positives()))
                .close();
          });
      assertEquals(before, fingerprints(grid), "cells or models changed");
    }
  }

  private static List<Integer> fingerprints(Grid grid) {
    return List.of(
        Buffers.fingerprint(grid.positives()),
        Buffers.fingerprint(grid.others()),
        Buffers.fingerprint(grid.first()),
        Buffers.fingerprint(grid.second()));
  }
}
