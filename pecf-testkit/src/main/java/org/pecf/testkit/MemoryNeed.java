package org.pecf.testkit;

import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;

/** Refuse what does not fit the memory budget, with the figures. */
final class MemoryNeed {
  private MemoryNeed() {}

  static void check(BufferAllocator allocator, long bytes, String what) {
    if (bytes > allocator.getHeadroom()) {
      throw new PecfException(
          ErrorCode.RESOURCES,
          what
              + " take "
              + bytes
              + " bytes, of which "
              + allocator.getHeadroom()
              + " are left. Raise the memory limit.");
    }
  }
}
