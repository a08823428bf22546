package org.pecf.engine.selftest;

import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.memory.GridShape;
import org.pecf.api.run.Cancellation;
import org.pecf.api.run.Parallelism;
import org.pecf.api.run.RunContext;
import org.pecf.engine.plugin.Backend;

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
      GridShape shape, ComputationPath path, double weightError, Function<ComputeSession, T> use) {
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
