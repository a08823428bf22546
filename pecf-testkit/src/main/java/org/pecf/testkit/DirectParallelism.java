package org.pecf.testkit;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apiguardian.api.API;
import org.pecf.api.run.Cancellation;
import org.pecf.api.run.Parallelism;
import org.pecf.api.run.Seed;

/**
 * Run all tasks on the calling thread, in a chosen order and in the name of a chosen number of
 * workers: what a result must not depend on, without the luck of real threads.
 *
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class DirectParallelism implements Parallelism {
  /** Arrange the tasks of one round. */
  @FunctionalInterface
  private interface Order {
    int[] of(int count);
  }

  private final int threads;
  private final Order order;
  private final Cancellation cancellation;

  /** Be one worker that takes the tasks as they come and is never cancelled. */
  public DirectParallelism() {
    this(1, DirectParallelism::forward, () -> false);
  }

  private DirectParallelism(int threads, Order order, Cancellation cancellation) {
    if (threads < 1) {
      throw new IllegalArgumentException("a run needs a thread at least, not " + threads);
    }
    this.threads = threads;
    this.order = order;
    this.cancellation = cancellation;
  }

  /** Return the same with a number of workers, who take turns. */
  public DirectParallelism withThreads(int count) {
    return new DirectParallelism(count, order, cancellation);
  }

  /** Return the same with the last task first. */
  public DirectParallelism reversed() {
    return new DirectParallelism(
        threads,
        count -> IntStream.range(0, count).map(index -> count - 1 - index).toArray(),
        cancellation);
  }

  /** Return the same with the tasks in a random order that depends on the seed and their number. */
  public DirectParallelism shuffled(long seed) {
    return new DirectParallelism(threads, count -> shuffle(count, seed), cancellation);
  }

  /** Return the same that polls whether to stop before each task. */
  public DirectParallelism cancelledBy(Cancellation token) {
    return new DirectParallelism(threads, order, token);
  }

  @Override
  public int threads() {
    return threads;
  }

  @Override
  public void forEach(int count, Task task) {
    int turn = 0;
    for (int index : order.of(count)) {
      cancellation.check();
      task.run(index, turn);
      turn = (turn + 1) % threads;
    }
    cancellation.check();
  }

  private static int[] forward(int count) {
    return IntStream.range(0, count).toArray();
  }

  private static int[] shuffle(int count, long seed) {
    int[] order = forward(count);
    SplittableRandom random = new Seed(seed).child("order", count).random();
    for (int last = count - 1; last > 0; last--) {
      int other = random.nextInt(last + 1);
      int swapped = order[last];
      order[last] = order[other];
      order[other] = swapped;
    }
    return order;
  }
}
