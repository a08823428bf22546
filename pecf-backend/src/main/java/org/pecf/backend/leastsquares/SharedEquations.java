package org.pecf.backend.leastsquares;

import org.apache.arrow.memory.BufferAllocator;
import org.pecf.backend.algebra.FloatSlice;
import org.pecf.backend.algebra.MatrixSlice;
import org.pecf.backend.algebra.OffHeapFloats;
import org.pecf.backend.algebra.Worker;

/**
 * The background's part of the equations, shared by all rows of a corrected half-sweep, in the
 * memory that linear algebra works on.
 */
public final class SharedEquations implements AutoCloseable {
  private final EquationBasis basis;
  private final int rank;

  /** The matrix, where rows are solved as they are; else the eigenvectors. */
  private final OffHeapFloats memory;

  private final FloatSlice square;
  private final Diagonal identity;

  /** Take equations into memory. */
  public SharedEquations(BufferAllocator allocator, EquationBasis basis) {
    this.basis = basis;
    this.rank = basis.rank();
    this.memory = OffHeapFloats.allocate(allocator, PageAlignment.floats(rank));
    this.square = PageAlignment.atStart(memory, rank);
    long start = (square.address() - memory.slice(0, 1).address()) / Float.BYTES;
    memory.write(start, basis.whitens() ? basis.vectors() : basis.matrix(), 0, rank * rank);
    this.identity = Diagonal.identity(basis.width());
  }

  /** Return the number of factors. */
  int rank() {
    return rank;
  }

  /** Return the background's matrix by rows, of which the upper triangle is valid. */
  FloatSlice matrix() {
    assert !whitens() : "rows are solved in coordinates where it is diagonal";
    return square;
  }

  /** Return whether rows are solved in whitened coordinates. */
  public boolean whitens() {
    return basis.whitens();
  }

  /** Return the floats that a row of the other side takes, whitened or as it is. */
  public int width() {
    return basis.width();
  }

  /**
   * Return the background's equations of a row with a penalty.
   *
   * @param own the memory for those of a row with a penalty of its own. Modified.
   */
  Diagonal diagonal(double penalty, Diagonal own) {
    if (penalty == basis.meanPenalty()) {
      return identity;
    }
    own.set(basis.eigenvalues(), basis.scales(), (float) (penalty / 2));
    return own;
  }

  /**
   * Compute {@code T v}, padded with zeros, for rows v of the other side. The bits of a row depend
   * on the others of the call, so that calls are for whole groups, see {@link Gramians#GROUP}.
   *
   * @param rows Not modified.
   * @param target receives {@link #width} floats each. Modified.
   */
  public void whitenGroup(Worker worker, MatrixSlice rows, FloatSlice target) {
    target.clear();
    whiten(worker, rows, MatrixSlice.of(target, rows.rows(), rank, width()));
  }

  /**
   * Compute {@code T v} for rows v.
   *
   * @param rows Not modified.
   * @param target receives one row each. Modified.
   */
  void whiten(Worker worker, MatrixSlice rows, MatrixSlice target) {
    worker.algebra().multiply(1, rows, vectors().transpose(), 0, target);
  }

  /**
   * Compute {@code x = T' z} for rows z.
   *
   * @param rows Not modified.
   * @param target Modified.
   */
  void unwhiten(Worker worker, MatrixSlice rows, MatrixSlice target) {
    worker.algebra().multiply(1, rows, vectors(), 0, target);
  }

  private MatrixSlice vectors() {
    assert whitens() : "rows are solved as they are";
    return MatrixSlice.of(square, rank, rank);
  }

  @Override
  public void close() {
    memory.close();
  }
}
