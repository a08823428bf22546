package org.pecf.backend.base.session;

import java.util.function.Supplier;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.pecf.api.PecfException;

/** A wrapper around the work of a session that explains its failures. */
public interface Guard {
  /** Do some work and return what it makes. */
  <T> T call(Supplier<T> work);

  /** Turn Arrow's word that an allocator's budget is used up into ours. */
  static Guard of(BufferAllocator allocator) {
    return new Guard() {
      @Override
      public <T> T call(Supplier<T> work) {
        try {
          return work.get();
        } catch (OutOfMemoryException e) {
          throw PecfException.resources(
                  "The memory limit of %d MiB does not suffice (%s). Raise the limit.",
                  allocator.getLimit() >> 20, e.getMessage().lines().findFirst().orElse(""))
              .causedBy(e);
        }
      }
    };
  }
}
