package org.pecf.backend.algebra;

/**
 * A library of linear algebra on off-heap memory.
 *
 * <p>All matrices are row-major floats. Every call runs on the calling thread alone and gives the
 * same bits on any thread.
 */
public interface LinearAlgebra {
  /** Return a name for people, such as "OpenBLAS 0.3.31 (Zen)". */
  String name();

  /** Return a fresh caller for one worker; callers hold state and are not shared. */
  Caller caller();

  /** The routines, as one worker calls them. */
  interface Caller {
    /**
     * Compute {@code C = alpha A B + beta C}.
     *
     * @param a A or, as a transposed view, its transpose. Not modified.
     * @param b B or, as a transposed view, its transpose. Not modified.
     * @param c C, not transposed. Modified.
     */
    void multiply(float alpha, MatrixSlice a, MatrixSlice b, float beta, MatrixSlice c);

    /**
     * Compute {@code C = C + scale P' P}, in the upper triangle of C.
     *
     * @param p P, rows without gaps. Not modified.
     * @param c C, rows without gaps. Modified.
     */
    void addOuterProducts(float scale, MatrixSlice p, FloatSlice c);

    /**
     * Compute {@code C = P P'}, in the upper triangle of C.
     *
     * @param p P, rows without gaps. Not modified.
     * @param c C, rows without gaps. Modified.
     */
    void innerProducts(MatrixSlice p, FloatSlice c);

    /**
     * Compute {@code y = y + scale P' x}.
     *
     * @param p P, rows without gaps. Not modified.
     * @param x one coefficient per row of P. Not modified.
     * @param stride the floats from one coefficient to the next
     * @param y one element per column of P. Modified.
     */
    void addRows(float scale, MatrixSlice p, FloatSlice x, int stride, FloatSlice y);

    /**
     * Compute {@code y = P x}.
     *
     * @param p P, rows without gaps. Not modified.
     * @param x one element per column of P. Not modified.
     * @param y one element per row of P. Modified.
     */
    void project(MatrixSlice p, FloatSlice x, FloatSlice y);

    /**
     * Replace A by the upper triangle U of its Cholesky factorisation {@code A = U' U}.
     *
     * @param order the order of A
     * @param a A, of which the upper triangle is read and replaced. Modified.
     * @return whether A is positive definite; if not, its content is undefined
     */
    boolean factorise(int order, FloatSlice a);

    /**
     * Replace every row b of B by the solution x of {@code U x = b}, or of {@code U' x = b}.
     *
     * @param u a triangle made by {@link #factorise}. Not modified.
     * @param b B, rows without gaps. Modified.
     */
    void substitute(boolean transposed, FloatSlice u, MatrixSlice b);

    /**
     * Replace a symmetric A by its eigenvectors, one per row: {@code A = Q' diag(values) Q}.
     *
     * @param a A, of which the upper triangle is read; receives Q. Modified.
     * @param values receives the eigenvalues. Modified.
     * @return whether they were found; if not, the content of both is undefined
     */
    boolean diagonalise(FloatSlice a, float[] values);

    /**
     * Replace A by its inverse, by Cholesky factorisation.
     *
     * @param order the order of A
     * @param a A, of which the upper triangle is read and replaced. Modified.
     * @return whether A is positive definite; if not, its content is undefined
     */
    boolean invert(int order, FloatSlice a);
  }
}
