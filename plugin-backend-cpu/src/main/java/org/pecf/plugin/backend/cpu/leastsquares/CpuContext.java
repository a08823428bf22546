package org.pecf.plugin.backend.cpu.leastsquares;

import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.compute.ComputeResources;
import org.pecf.api.compute.FieldKernels;
import org.pecf.api.memory.GridShape;
import org.pecf.api.run.Parallelism;
import org.pecf.plugin.backend.cpu.algebra.Worker;
import org.pecf.plugin.backend.cpu.field.ScoreStore;

/**
 * The run's resources and the session's own parts, as every problem of a session uses them.
 *
 * @param resources the resources of the run
 * @param kernels the session's field kernels
 * @param store the scores that are kept
 * @param workers one per thread
 */
public record CpuContext(
    ComputeResources resources, FieldKernels kernels, ScoreStore store, Worker[] workers) {
  GridShape shape() {
    return resources.shape();
  }

  BufferAllocator allocator() {
    return resources.allocator();
  }

  Parallelism parallelism() {
    return resources.parallelism();
  }
}
