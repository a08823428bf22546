package org.pecf.testkit.contract;

import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/** Memory that is lent to a plugin and must be given back, whether the plugin fails or not. */
final class LentMemory {
  private LentMemory() {}

  /**
   * Do work in a child allocator, and check that the work keeps none of its memory.
   *
   * @param limit the most bytes that the work may take
   * @param borrower the name of the borrower, for messages
   * @throws AssertionError if memory is kept
   */
  static <R> R use(
      BufferAllocator root, long limit, String borrower, Function<BufferAllocator, R> work) {
    BufferAllocator allocator = root.newChildAllocator("lent", 0, limit);
    try {
      R result = work.apply(allocator);
      takeBack(allocator, borrower, null);
      return result;
    } catch (RuntimeException e) {
      takeBack(allocator, borrower, e);
      throw e;
    }
  }

  private static void takeBack(
      BufferAllocator allocator, String borrower, @Nullable RuntimeException problem) {
    long kept = allocator.getAllocatedMemory();
    if (kept > 0) {
      throw new AssertionError(
          borrower + " keeps " + kept + " bytes" + (problem == null ? "" : " after " + problem),
          problem);
    }
    allocator.close();
  }
}
