package org.pecf.testkit.contract;

import org.pecf.api.compute.ComputationPath;
import org.pecf.api.run.Cancellation;
import org.pecf.api.run.Parallelism;
import org.pecf.api.run.RunListener;
import org.pecf.testkit.fixture.DirectParallelism;

/** Hold what differs between the sessions of backend tests. */
record Setting(
    Parallelism parallelism,
    Cancellation cancellation,
    RunListener listener,
    ComputationPath path,
    double weightError,
    long limit) {
  static final Setting DENSE =
      new Setting(
          new DirectParallelism(),
          () -> false,
          RunListener.none(),
          ComputationPath.DENSE,
          0,
          Long.MAX_VALUE);

  static final Setting CORRECTED = DENSE.with(ComputationPath.CORRECTED, 0);

  Setting with(ComputationPath otherPath, double otherError) {
    return new Setting(parallelism, cancellation, listener, otherPath, otherError, limit);
  }

  Setting with(Parallelism other) {
    return new Setting(other, cancellation, listener, path, weightError, limit);
  }

  Setting with(RunListener other) {
    return new Setting(parallelism, cancellation, other, path, weightError, limit);
  }

  /** Poll the token in tasks and between them. */
  Setting cancelledBy(Cancellation token) {
    return new Setting(
        new DirectParallelism().withThreads(2).cancelledBy(token),
        token,
        listener,
        path,
        weightError,
        limit);
  }

  Setting limitedTo(long bytes) {
    return new Setting(parallelism, cancellation, listener, path, weightError, bytes);
  }
}
