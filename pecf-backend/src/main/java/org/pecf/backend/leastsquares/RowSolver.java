package org.pecf.backend.leastsquares;

import org.pecf.api.memory.Side;
import org.pecf.backend.algebra.DoubleCholesky;
import org.pecf.backend.algebra.FloatSlice;
import org.pecf.backend.algebra.LinearAlgebra;
import org.pecf.backend.algebra.MatrixSlice;
import org.pecf.backend.algebra.ScratchFloats;
import org.pecf.backend.algebra.UnstableRows;
import org.pecf.backend.algebra.Worker;

/** A solver of the normal equations of one row by factorisation. */
public final class RowSolver {
  private final LinearAlgebra.Caller algebra;
  private final UnstableRows unstableRows;
  private final ScratchFloats matrixFloats;
  private final ScratchFloats vectorFloats;

  private RowSolver(Worker worker) {
    this.algebra = worker.algebra();
    this.unstableRows = worker.unstableRows();
    this.matrixFloats = worker.scratch();
    this.vectorFloats = worker.scratch();
  }

  /** Return the solver of a worker. */
  public static RowSolver of(Worker worker) {
    return worker.kernel(RowSolver.class, RowSolver::new);
  }

  /** A source of the equations of one row. */
  public interface Assembly {
    /**
     * Write the matrix.
     *
     * @param matrix the matrix by rows, of which the upper triangle is read. Modified.
     */
    void writeTo(FloatSlice matrix);
  }

  /**
   * Solve {@code A x = b} in single precision or, if A is not positive definite in that, in double
   * precision.
   *
   * @param assembly writes A; called again if single precision does not suffice
   * @param vector b, which is read after A was written; receives x. Modified.
   * @return {@code b . x}
   */
  public double solve(Side side, int row, Assembly assembly, FloatSlice vector) {
    int order = (int) vector.length();
    FloatSlice matrix =
        PageAlignment.atMiddle(matrixFloats.floats(PageAlignment.floats(order)), order);
    FloatSlice saved = vectorFloats.slice(order);
    assembly.writeTo(matrix);
    vector.copyTo(saved);
    if (algebra.factorise(order, matrix)) {
      // With A = U' U and U' y = b, the product b . x is y . y.
      MatrixSlice one = MatrixSlice.of(vector, 1, order);
      algebra.substitute(true, matrix, one);
      double product = squares(vector);
      algebra.substitute(false, matrix, one);
      return DoubleCholesky.checked(product, side, row);
    }
    assembly.writeTo(matrix);
    return unstableRows.solve(
        side, row, order, (i, j) -> matrix.get((long) j * order + i), saved::get, vector::set);
  }

  private static double squares(FloatSlice vector) {
    double sum = 0;
    for (int k = 0; k < vector.length(); k++) {
      double x = vector.get(k);
      sum += x * x;
    }
    return sum;
  }
}
