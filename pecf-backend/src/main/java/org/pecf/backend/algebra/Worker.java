package org.pecf.backend.algebra;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The state of one worker thread that no other thread touches: its linear algebra, and its kernels
 * with the scratch memory that each of them keeps from one call to the next.
 */
public final class Worker implements AutoCloseable {
  private final BufferAllocator allocator;
  private final LinearAlgebra.Caller algebra;
  private final UnstableRows unstableRows;
  private final Map<Class<?>, Object> kernels = new HashMap<>();
  private final List<ScratchFloats> scratch = new ArrayList<>();

  public Worker(BufferAllocator allocator, LinearAlgebra.Caller algebra) {
    this(allocator, algebra, new UnstableRows());
  }

  private Worker(
      BufferAllocator allocator, LinearAlgebra.Caller algebra, UnstableRows unstableRows) {
    this.allocator = allocator;
    this.algebra = algebra;
    this.unstableRows = unstableRows;
  }

  /** Return the solver of rows in trouble, which the workers of a crew share. */
  public UnstableRows unstableRows() {
    return unstableRows;
  }

  /** Return the linear algebra. */
  public LinearAlgebra.Caller algebra() {
    return algebra;
  }

  /**
   * Return this worker's kernel of a type.
   *
   * @param constructor creates it at its first use
   */
  public <K> K kernel(Class<K> type, Function<Worker, K> constructor) {
    Object kernel = kernels.get(type);
    if (kernel == null) {
      kernel = constructor.apply(this);
      kernels.put(type, kernel);
    }
    return type.cast(kernel);
  }

  /** Return new scratch memory for a kernel, closed with the worker. */
  public ScratchFloats scratch() {
    ScratchFloats floats = new ScratchFloats(allocator);
    scratch.add(floats);
    return floats;
  }

  /** Create one worker per thread. */
  public static Worker[] crew(BufferAllocator allocator, LinearAlgebra algebra, int threads) {
    Worker[] crew = new Worker[threads];
    UnstableRows unstable = new UnstableRows();
    Arrays.setAll(crew, k -> new Worker(allocator, algebra.caller(), unstable));
    return crew;
  }

  @Override
  public void close() {
    scratch.forEach(ScratchFloats::close);
    scratch.clear();
    kernels.clear();
  }
}
