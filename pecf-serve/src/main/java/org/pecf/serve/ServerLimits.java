package org.pecf.serve;

import java.time.Duration;
import org.pecf.api.PecfException;

/**
 * The limits that a service sets to its clients.
 *
 * @param count the most items that a list may have
 * @param ids the most ids that a request may name
 * @param bodyBytes the most bytes that the body of a request may have
 * @param time the longest time that a request may take, from its header to its answer
 * @param idle the longest time that a connection may take to send a header, or to take an answer
 * @param requests the most requests that may be under way at once
 * @param connections the most connections that may be open at once
 * @param threads the number of threads that rank
 */
public record ServerLimits(
    int count,
    int ids,
    int bodyBytes,
    Duration time,
    Duration idle,
    int requests,
    int connections,
    int threads) {
  /** The limits of a service that is told none. */
  public static final ServerLimits DEFAULT =
      new ServerLimits(
          1_000,
          10_000,
          1 << 20,
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          256,
          1_024,
          Runtime.getRuntime().availableProcessors());

  public ServerLimits {
    check("number of items in a list", count);
    check("number of ids in a request", ids);
    check("number of bytes in a body", bodyBytes);
    check("time of a request in milliseconds", time.toMillis());
    check("idle time of a connection in milliseconds", idle.toMillis());
    check("number of requests at once", requests);
    check("number of connections at once", connections);
    check("number of threads", threads);
  }

  private static void check(String what, long limit) {
    if (limit < 1) {
      throw PecfException.badOption(
          "The largest %s cannot be %d. Give a whole number from 1.", what, limit);
    }
  }
}
