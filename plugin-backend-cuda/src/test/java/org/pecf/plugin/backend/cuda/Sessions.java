package org.pecf.plugin.backend.cuda;

import java.util.Map;
import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.ComputeBackendProvider;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.memory.GridShape;
import org.pecf.api.run.RunContext;
import org.pecf.plugin.backend.cpu.CpuBackendProvider;
import org.pecf.testkit.fixture.DirectParallelism;

/** Sessions of the backend and of the CPU backend, with which it is compared. */
final class Sessions {
  private Sessions() {}

  static <R> R cuda(
      BufferAllocator allocator,
      GridShape shape,
      ComputationPath path,
      Function<ComputeSession, R> use) {
    return in(new CudaBackendProvider(), Map.of(), allocator, shape, path, use);
  }

  /** Run with the backend in small tiles. */
  static <R> R cudaInSmallTiles(
      BufferAllocator allocator,
      GridShape shape,
      ComputationPath path,
      Function<ComputeSession, R> use) {
    return in(SmallTiles.ofDozens(), Map.of(), allocator, shape, path, use);
  }

  static <R> R cpu(
      BufferAllocator allocator,
      GridShape shape,
      ComputationPath path,
      Function<ComputeSession, R> use) {
    return in(new CpuBackendProvider(), Map.of(), allocator, shape, path, use);
  }

  static <O extends Record, R> R in(
      ComputeBackendProvider<O> provider,
      Map<String, String> options,
      BufferAllocator allocator,
      GridShape shape,
      ComputationPath path,
      Function<ComputeSession, R> use) {
    SessionContext context =
        new SessionContext(
            new RunContext(allocator, new DirectParallelism(), () -> false, event -> {}),
            shape,
            path,
            0.05);
    O bound = provider.options().bind(provider.describe().id(), options);
    try (ComputeSession session = provider.create(bound).open(context)) {
      return use.apply(session);
    }
  }
}
