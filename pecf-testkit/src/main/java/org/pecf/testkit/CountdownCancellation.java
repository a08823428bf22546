package org.pecf.testkit;

import java.util.concurrent.atomic.AtomicInteger;
import org.apiguardian.api.API;
import org.pecf.api.run.Cancellation;

/**
 * Ask to stop from a given poll on, so that a test can cancel work in the middle and count how
 * often it looks.
 *
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class CountdownCancellation implements Cancellation {
  private final int unanswered;
  private final AtomicInteger polls = new AtomicInteger();

  /**
   * Answer "go on" a number of times.
   *
   * @param unanswered how many polls do not yet ask to stop, at least 0
   */
  public CountdownCancellation(int unanswered) {
    this.unanswered = unanswered;
  }

  @Override
  public boolean requested() {
    return polls.incrementAndGet() > unanswered;
  }

  /** Return how often it was polled. */
  public int polls() {
    return polls.get();
  }

  /** Return whether a poll has been answered with the request to stop. */
  public boolean answered() {
    return polls.get() > unanswered;
  }
}
