package org.pecf.testkit.contract;

import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Assumptions;
import org.pecf.api.compute.Availability;
import org.pecf.api.compute.ComputeBackend;
import org.pecf.api.compute.ComputeBackendProvider;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.run.RunContext;
import org.pecf.testkit.fixture.TestGrids;

/** The sessions that the rules open on a backend, with the memory and the tolerances they share. */
final class BackendSessions {
  /** Sizes of grids around the multiples of usual tiles. */
  static final int[][] SIZES = {{1, 1}, {1, 7}, {7, 1}, {2, 65}, {65, 2}, {17, 130}};

  private final ComputeBackendContract contract;
  private final BufferAllocator root;

  BackendSessions(ComputeBackendContract contract, BufferAllocator root) {
    this.contract = contract;
    this.root = root;
  }

  /** Return the memory of the test itself. */
  BufferAllocator allocator() {
    return root;
  }

  double valueTolerance() {
    return contract.valueTolerance();
  }

  double sumTolerance() {
    return contract.sumTolerance();
  }

  double solutionTolerance() {
    return contract.solutionTolerance();
  }

  GridShape tiledShape() {
    return contract.tiledShape();
  }

  /** Return the random grid of a size. */
  Grid grid(int[] size) {
    return Grid.of(root, size[0], size[1], 1000L * size[0] + size[1]);
  }

  /** Return the model that solutions start from. */
  FactorModel start(Grid grid, int rank) {
    return TestGrids.randomModel(root, grid.shape(), rank, 4711);
  }

  /** Use a session of its own memory, all of which must be released when it is closed. */
  void use(GridShape shape, SessionSetup setup, Consumer<ComputeSession> use) {
    in(
        shape,
        setup,
        session -> {
          use.accept(session);
          return null;
        });
  }

  /** Use a session of its own memory, and return a result. */
  <R> R in(GridShape shape, SessionSetup setup, Function<ComputeSession, R> use) {
    return in(backend(), shape, setup, use);
  }

  /** Return the backend with the options of the test. */
  ComputeBackend backend() {
    return backend(contract.provider());
  }

  private <O extends Record> ComputeBackend backend(ComputeBackendProvider<O> provider) {
    return provider.create(
        provider.options().bind(provider.describe().id(), contract.optionTexts()));
  }

  private <R> R in(
      ComputeBackend backend,
      GridShape shape,
      SessionSetup setup,
      Function<ComputeSession, R> use) {
    Availability availability = backend.probe();
    Assumptions.assumeTrue(availability.available(), availability.explanation());
    return LentMemory.use(
        root,
        setup.limit(),
        "the closed session",
        allocator -> {
          RunContext run =
              new RunContext(
                  allocator, setup.parallelism(), setup.cancellation(), setup.listener());
          try (ComputeSession session =
              backend.open(new SessionContext(run, shape, setup.path(), setup.weightError()))) {
            return use.apply(session);
          }
        });
  }
}
