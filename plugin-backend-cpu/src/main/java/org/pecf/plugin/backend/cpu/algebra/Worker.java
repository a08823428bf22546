package org.pecf.plugin.backend.cpu.algebra;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Hold what one worker needs and nobody else may touch: a BLAS caller and scratch memory that grows
 * on demand.
 */
public final class Worker implements AutoCloseable {
  private final BufferAllocator allocator;
  private final LinearAlgebra.Caller algebra;
  private final Map<String, NativeFloats> offHeap = new HashMap<>();
  private final Map<String, Long> sizes = new HashMap<>();
  private final Map<String, float[]> heap = new HashMap<>();

  public Worker(BufferAllocator allocator, LinearAlgebra.Caller algebra) {
    this.allocator = allocator;
    this.algebra = algebra;
  }

  /** Return the BLAS caller. */
  public LinearAlgebra.Caller algebra() {
    return algebra;
  }

  /** Return off-heap scratch of the given purpose, of any content, at least as long as asked. */
  public NativeFloats offHeap(String purpose, long count) {
    NativeFloats floats = offHeap.get(purpose);
    if (floats == null || sizes.get(purpose) < count) {
      if (floats != null) {
        offHeap.remove(purpose);
        floats.close();
      }
      floats = NativeFloats.allocate(allocator, count);
      offHeap.put(purpose, floats);
      sizes.put(purpose, count);
    }
    return floats;
  }

  /** Return heap scratch of the given purpose, of any content, at least as long as asked. */
  public float[] heap(String purpose, int count) {
    float[] floats = heap.get(purpose);
    if (floats == null || floats.length < count) {
      floats = new float[Math.max(count, floats == null ? 0 : floats.length * 3 / 2)];
      heap.put(purpose, floats);
    }
    return floats;
  }

  /** Create one worker for each thread. */
  public static Worker[] crew(BufferAllocator allocator, LinearAlgebra algebra, int threads) {
    Worker[] crew = new Worker[threads];
    Arrays.setAll(crew, k -> new Worker(allocator, algebra.caller()));
    return crew;
  }

  @Override
  public void close() {
    offHeap.values().forEach(NativeFloats::close);
    offHeap.clear();
    sizes.clear();
    heap.clear();
  }
}
