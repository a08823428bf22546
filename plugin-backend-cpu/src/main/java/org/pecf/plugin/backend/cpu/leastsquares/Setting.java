package org.pecf.plugin.backend.cpu.leastsquares;

import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.compute.FieldKernels;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.memory.GridShape;
import org.pecf.api.run.Parallelism;
import org.pecf.plugin.backend.cpu.algebra.Worker;
import org.pecf.plugin.backend.cpu.field.ScoreStore;

/**
 * Hold what every problem of a session computes with.
 *
 * @param context what the run lends
 * @param kernels the session's own field kernels
 * @param store the scores that are kept
 * @param workers one for each thread
 */
public record Setting(
    SessionContext context, FieldKernels kernels, ScoreStore store, Worker[] workers) {
  GridShape shape() {
    return context.shape();
  }

  BufferAllocator allocator() {
    return context.run().allocator();
  }

  Parallelism parallelism() {
    return context.run().parallelism();
  }
}
