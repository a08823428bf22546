package org.pecf.backend.algebra;

import dev.ludovic.netlib.blas.NativeBLAS;
import org.apache.arrow.memory.RootAllocator;

/** Compute with netlib and with this library in one process, in the order asked for. */
final class NetlibMain {
  /** The exit code that says that netlib finds no library here. */
  static final int NO_LIBRARY = 77;

  private NetlibMain() {}

  public static void main(String[] arguments) {
    if (arguments[0].equals("netlib")) {
      netlib();
    }
    int order = 40;
    float[] found = new float[order];
    try (RootAllocator root = new RootAllocator();
        OffHeapFloats floats = OffHeapFloats.allocate(root, (long) order * order)) {
      LinearAlgebra.Caller algebra = OpenBlas.load().caller();
      FloatSlice matrix = floats.slice(0, (long) order * order);
      write(matrix, order);
      check(algebra.factorise(order, matrix), "factorise");
      check(Math.abs(matrix.get(0) - Math.sqrt(3)) < 1e-6, "the first element of a root");
      write(matrix, order);
      check(algebra.invert(order, matrix), "invert");
      write(matrix, order);
      check(algebra.diagonalise(matrix, found), "diagonalise");
    }
    check(found[0] > 2.99 && found[order - 1] < 3.01, "eigenvalues");
    netlib();
    System.out.println("both are right");
  }

  /** Write the matrix 3 I. */
  private static void write(FloatSlice matrix, int order) {
    for (int k = 0; k < order * order; k++) {
      matrix.set(k, k % (order + 1) == 0 ? 3 : 0);
    }
  }

  private static void netlib() {
    NativeBLAS netlib;
    try {
      netlib = NativeBLAS.getInstance();
    } catch (RuntimeException | LinkageError e) {
      System.exit(NO_LIBRARY);
      return;
    }
    double product = netlib.ddot(2, new double[] {1, 2}, 1, new double[] {3, 4}, 1);
    check(product == 11, "(1, 2) . (3, 4) is " + product);
  }

  private static void check(boolean condition, String what) {
    if (!condition) {
      throw new IllegalStateException(what);
    }
  }
}
