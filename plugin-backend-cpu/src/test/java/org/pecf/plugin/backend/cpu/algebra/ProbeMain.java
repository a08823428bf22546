package org.pecf.plugin.backend.cpu.algebra;

import java.util.Map;
import org.pecf.api.compute.Availability;
import org.pecf.api.compute.ComputeBackendProvider;
import org.pecf.plugin.backend.cpu.CpuBackendProvider;

/** Print what the backend computes with in this process, from a class path. */
final class ProbeMain {
  private ProbeMain() {}

  public static void main(String[] arguments) {
    System.out.println(probe(new CpuBackendProvider()).explanation());
  }

  private static <O extends Record> Availability probe(ComputeBackendProvider<O> provider) {
    return provider.create(provider.options().bind("cpu", Map.of())).probe();
  }
}
