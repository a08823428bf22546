package org.pecf.backend.cpu;

import java.util.Locale;
import java.util.function.Supplier;
import org.apache.arrow.memory.OutOfMemoryException;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputeResources;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.FieldKernels;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.RankedItems;
import org.pecf.api.compute.RankingRequest;
import org.pecf.backend.cpu.algebra.LinearAlgebra;
import org.pecf.backend.cpu.algebra.Worker;
import org.pecf.backend.cpu.field.CpuFieldKernels;
import org.pecf.backend.cpu.leastsquares.Planner;
import org.pecf.backend.cpu.leastsquares.Setting;
import org.pecf.backend.cpu.ranking.Ranker;

/** Run the kernels on this machine's cores. */
final class CpuSession implements ComputeSession {
  private final ComputeResources resources;
  private final Worker[] workers;
  private final FieldKernels fields;

  CpuSession(LinearAlgebra algebra, ComputeResources resources) {
    this.resources = resources;
    this.workers = Worker.crew(resources.allocator(), algebra, resources.parallelism().threads());
    this.fields = new CpuFieldKernels(resources.shape(), resources.parallelism(), workers);
  }

  @Override
  public FieldKernels fields() {
    return fields;
  }

  @Override
  public LeastSquares leastSquares(LeastSquaresRequest request) {
    return withinMemory(() -> Planner.prepare(new Setting(resources, fields, workers), request));
  }

  @Override
  public RankedItems rank(RankingRequest request) {
    return withinMemory(
        () ->
            new Ranker(resources.shape(), resources.allocator(), resources.parallelism(), workers)
                .rank(request));
  }

  private <T> T withinMemory(Supplier<T> work) {
    try {
      return work.get();
    } catch (OutOfMemoryException e) {
      throw new PecfException(
          ErrorCode.RESOURCES,
          String.format(
              Locale.ROOT,
              "the memory budget of %d MB does not suffice (%s). Raise --memory.",
              resources.allocator().getLimit() >> 20,
              e.getMessage().lines().findFirst().orElse("")),
          e);
    }
  }

  @Override
  public void close() {
    for (Worker worker : workers) {
      worker.close();
    }
  }
}
