package org.pecf.serve;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * The limit on slow connections: a client that sends its header or takes its answer byte by byte
 * never lets the connection look idle. Jetty limits the rate of bodies only.
 */
final class ConnectionGuard extends AbstractLifeCycle implements Connection.Listener {
  private static final long SWEEP_MILLIS = 500;

  private final Map<Connection, Long> deadlines = new ConcurrentHashMap<>();
  private final Scheduler scheduler;
  private final long idleNanos;
  private final long requestNanos;
  private Scheduler.@Nullable Task next;

  /**
   * Create a guard.
   *
   * @param scheduler runs the checks; borrowed
   * @param limits how long clients may take
   */
  ConnectionGuard(Scheduler scheduler, ServerLimits limits) {
    this.scheduler = scheduler;
    this.idleNanos = limits.idle().toNanos();
    this.requestNanos = limits.time().plus(limits.idle()).plus(Duration.ofSeconds(1)).toNanos();
  }

  @Override
  protected void doStart() {
    sweepLater();
  }

  @Override
  protected synchronized void doStop() {
    if (next != null) {
      next.cancel();
    }
  }

  private synchronized void sweepLater() {
    if (isStarting() || isStarted()) {
      next = scheduler.schedule(this::sweep, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void sweep() {
    long now = System.nanoTime();
    deadlines.forEach(
        (connection, deadline) -> {
          if (now - deadline > 0 && deadlines.remove(connection, deadline)) {
            connection.getEndPoint().close();
          }
        });
    sweepLater();
  }

  @Override
  public void onOpened(Connection connection) {
    // The connection that carries TLS sees no requests; the one on top of it ends both.
    if (!(connection instanceof SslConnection)) {
      deadlines.put(connection, System.nanoTime() + idleNanos);
    }
  }

  @Override
  public void onClosed(Connection connection) {
    deadlines.remove(connection);
  }

  /** Note that the header of a request has arrived. */
  void requestBegins(Connection connection) {
    deadlines.replace(connection, System.nanoTime() + requestNanos);
  }

  /** Note that an answer was taken. */
  void requestEnds(Connection connection) {
    deadlines.replace(connection, System.nanoTime() + idleNanos);
  }

  /** Return the number of open connections. */
  int connections() {
    return deadlines.size();
  }
}
