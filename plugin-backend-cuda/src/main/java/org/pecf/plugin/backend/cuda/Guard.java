package org.pecf.plugin.backend.cuda;

import java.util.function.Supplier;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.pecf.api.PecfException;

/** A wrapper around the work of a session that explains its failures. */
interface Guard {
  /** Do some work and return its result. */
  <T> T call(Supplier<T> work);

  /** Return a guard that explains that the budget of an allocator is used up. */
  static Guard of(BufferAllocator allocator) {
    return new Guard() {
      @Override
      public <T> T call(Supplier<T> work) {
        try {
          return work.get();
        } catch (OutOfMemoryException e) {
          throw PecfException.resources(
                  "The memory limit of %d MiB does not suffice (%s). Raise the limit.",
                  allocator.getLimit() >> 20,
                  String.valueOf(e.getMessage()).lines().findFirst().orElse(""))
              .causedBy(e);
        }
      }
    };
  }
}
