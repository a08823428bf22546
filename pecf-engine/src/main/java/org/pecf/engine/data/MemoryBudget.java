package org.pecf.engine.data;

import java.nio.ByteBuffer;
import org.apache.arrow.memory.AllocationListener;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;

/**
 * The memory a run may take, counted as it is asked for.
 *
 * <p>Arrow by itself rounds buffers of less than 16 MiB up to a power of two, so that up to half of
 * a small budget is lost, and what is found to fit does not: a run could fail with more memory than
 * it succeeds with.
 */
public final class MemoryBudget {
  /** The unit of sizes, as Arrow recommends for buffers. */
  private static final long GRAIN = 64;

  private MemoryBudget() {}

  /**
   * Return an allocator without a limit; the caller closes it.
   *
   * @throws PecfException with {@link ErrorCode#UNAVAILABLE} if Java does not let Arrow work
   */
  public static BufferAllocator allocator() {
    return allocator(Long.MAX_VALUE);
  }

  /**
   * Return an allocator with a limit; the caller closes it.
   *
   * @throws PecfException with {@link ErrorCode#UNAVAILABLE} if Java does not let Arrow work
   */
  public static BufferAllocator allocator(long bytes) {
    requireAccess();
    return new RootAllocator(
        AllocationListener.NOOP, bytes, size -> (size + GRAIN - 1) / GRAIN * GRAIN);
  }

  /** Refuse to start Arrow where it would fail, with an error that leaves its classes unusable. */
  private static void requireAccess() {
    Module arrow = BufferAllocator.class.getModule();
    if (!ByteBuffer.class.getModule().isOpen(ByteBuffer.class.getPackageName(), arrow)) {
      throw PecfException.unavailable(
          "Arrow, which PECF keeps its data in, needs access to java.nio. Start Java with"
              + " --add-opens=java.base/java.nio=%s, or with a jar whose manifest says Add-Opens:"
              + " java.base/java.nio.",
          arrow.isNamed() ? arrow.getName() : "ALL-UNNAMED");
    }
  }
}
