package org.pecf.testkit.contract;

import org.pecf.api.compute.ComputationPath;
import org.pecf.api.run.Cancellation;
import org.pecf.api.run.Parallelism;
import org.pecf.api.run.RunListener;
import org.pecf.testkit.fixture.DirectParallelism;

/** The conditions under which a backend test opens a session. */
record SessionSetup(
    Parallelism parallelism,
    Cancellation cancellation,
    RunListener listener,
    ComputationPath path,
    double weightError,
    long limit) {
  static final SessionSetup DENSE =
      new SessionSetup(
          new DirectParallelism(),
          () -> false,
          RunListener.none(),
          ComputationPath.DENSE,
          0,
          Long.MAX_VALUE);

  static final SessionSetup CORRECTED = DENSE.with(ComputationPath.CORRECTED, 0);

  SessionSetup with(ComputationPath otherPath, double otherError) {
    return new SessionSetup(parallelism, cancellation, listener, otherPath, otherError, limit);
  }

  SessionSetup with(Parallelism other) {
    return new SessionSetup(other, cancellation, listener, path, weightError, limit);
  }

  SessionSetup with(RunListener other) {
    return new SessionSetup(parallelism, cancellation, other, path, weightError, limit);
  }

  /** Poll the token in tasks and between them. */
  SessionSetup cancelledBy(Cancellation token) {
    return new SessionSetup(
        new DirectParallelism().withThreads(2).cancelledBy(token),
        token,
        listener,
        path,
        weightError,
        limit);
  }

  SessionSetup limitedTo(long bytes) {
    return new SessionSetup(parallelism, cancellation, listener, path, weightError, bytes);
  }
}
