package org.pecf.backend.algebra;

/** Print the library that is loaded in this process, from a class path. */
final class ProbeMain {
  private ProbeMain() {}

  public static void main(String[] arguments) {
    System.out.println(OpenBlas.load().name());
  }
}
