package org.pecf.api.run;

import org.apiguardian.api.API;

/** The threads of a run. No other code starts any. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface Parallelism {
  /** One task of many. */
  @FunctionalInterface
  interface Task {
    /**
     * Do the task of the given index.
     *
     * @param index which task
     * @param worker which of the {@link Parallelism#threads()} workers does it: the key to scratch
     *     memory, never to results
     */
    void run(int index, int worker);
  }

  /** Return how many tasks run at once at most. */
  int threads();

  /**
   * Do tasks 0 to count - 1 in any order, and return when all are done. Cancellation is polled
   * before each. The failure of the lowest failing index is thrown after the others have stopped.
   *
   * @param count how many tasks
   * @param task must not itself call this method
   */
  void forEach(int count, Task task);
}
