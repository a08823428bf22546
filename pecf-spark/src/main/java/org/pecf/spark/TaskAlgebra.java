package org.pecf.spark;

import java.io.Serializable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.pecf.backend.algebra.Ejml;
import org.pecf.backend.algebra.LinearAlgebra;
import org.pecf.backend.algebra.OpenBlas;
import org.pecf.backend.algebra.Worker;

/** The linear algebra of the process that a task runs in, and memory for the task. */
final class TaskAlgebra implements AutoCloseable {
  private final BufferAllocator allocator = new RootAllocator();
  private final Worker worker = new Worker(allocator, Library.LOADED.caller());

  /** The library, loaded once in a process. */
  private static final class Library {
    private static final LinearAlgebra LOADED = load();

    private static LinearAlgebra load() {
      try {
        return OpenBlas.load();
      } catch (LinkageError | RuntimeException e) {
        System.getLogger(TaskAlgebra.class.getName())
            .log(System.Logger.Level.WARNING, "OpenBLAS does not load, using EJML: " + e);
        return new Ejml();
      }
    }
  }

  /** A computation of one task. */
  interface Work<T> extends Serializable {
    /** Compute. */
    T with(BufferAllocator allocator, Worker worker);
  }

  /** Compute something in memory that is released afterwards. */
  static <T> T run(Work<T> work) {
    try (TaskAlgebra kernels = new TaskAlgebra()) {
      return work.with(kernels.allocator, kernels.worker);
    }
  }

  /** Return the name of the library in this process. */
  static String name() {
    return Library.LOADED.name();
  }

  @Override
  public void close() {
    worker.close();
    allocator.close();
  }
}
