package org.pecf.plugin.backend.cpu.algebra;

import org.pecf.plugin.backend.cpu.CpuBackendProvider;

/** Print what the backend computes with in this process, from a class path. */
final class ProbeMain {
  private ProbeMain() {}

  public static void main(String[] arguments) {
    System.out.println(new CpuBackendProvider().probe().explanation());
  }
}
