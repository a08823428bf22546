package org.pecf.loaders.testing;

import java.util.concurrent.atomic.AtomicInteger;
import org.pecf.api.run.Parallelism;

/** Real threads, started for each call. */
public record Threads(int threads) implements Parallelism {
  @Override
  public void forEach(int count, Task task) {
    AtomicInteger next = new AtomicInteger();
    RuntimeException[] failures = new RuntimeException[count];
    Thread[] workers = new Thread[threads];
    for (int worker = 0; worker < threads; worker++) {
      int number = worker;
      workers[worker] =
          new Thread(
              () -> {
                for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
                  try {
                    task.run(i, number);
                  } catch (RuntimeException e) {
                    failures[i] = e;
                    next.set(count);
                  }
                }
              });
      workers[worker].start();
    }
    for (Thread worker : workers) {
      try {
        worker.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    for (RuntimeException failure : failures) {
      if (failure != null) {
        throw failure;
      }
    }
  }
}
