package org.pecf.plugin.backend.cpu.leastsquares;

import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.compute.FieldKernels;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.memory.GridShape;
import org.pecf.api.run.Parallelism;
import org.pecf.backend.algebra.Worker;
import org.pecf.plugin.backend.cpu.field.ScoreStore;

/**
 * The context of a session and the parts of it that every problem uses.
 *
 * @param session the context of the session
 * @param kernels the session's field kernels
 * @param store the scores that are kept
 * @param workers one per thread
 */
public record CpuContext(
    SessionContext session, FieldKernels kernels, ScoreStore store, Worker[] workers) {
  GridShape shape() {
    return session.shape();
  }

  BufferAllocator allocator() {
    return session.run().allocator();
  }

  Parallelism parallelism() {
    return session.run().parallelism();
  }
}
