package org.pecf.plugin.backend.cpu.algebra;

/**
 * Do the linear algebra of the kernels on off-heap memory, by address.
 *
 * <p>All matrices are row-major floats. Every call runs on the calling thread alone and gives the
 * same bits whichever thread that is.
 */
public interface LinearAlgebra {
  /** Return a name for people, such as "OpenBLAS 0.3.31 (Zen)". */
  String name();

  /** Return a fresh caller for one worker; callers hold state and are not shared. */
  Caller caller();

  /** Call the routines from one worker. */
  interface Caller {
    /**
     * Compute {@code C = alpha op(A) op(B) + beta C}, where op transposes if asked.
     *
     * @param rows the rows of op(A) and C
     * @param columns the columns of op(B) and C
     * @param inner the columns of op(A), the rows of op(B)
     * @param a address of A. Not modified.
     * @param aStride floats from a row of A to the next
     * @param b address of B. Not modified.
     * @param c address of C. Modified.
     */
    void multiply(
        boolean transposeA,
        boolean transposeB,
        int rows,
        int columns,
        int inner,
        float alpha,
        long a,
        int aStride,
        long b,
        int bStride,
        float beta,
        long c,
        int cStride);

    /**
     * Compute {@code C = C + scale P' P}, in the upper triangle of C.
     *
     * @param order the columns of P, the order of C
     * @param rows the rows of P
     * @param p address of P, rows without gaps. Not modified.
     * @param c address of C, rows without gaps. Modified.
     */
    void addOuterProducts(int order, int rows, float scale, long p, long c);

    /**
     * Compute {@code C = P P'}, in the upper triangle of C.
     *
     * @param rows the rows of P, the order of C
     * @param columns the columns of P
     * @param p address of P, rows without gaps. Not modified.
     * @param c address of C, rows without gaps. Modified.
     */
    void innerProducts(int rows, int columns, long p, long c);

    /**
     * Compute {@code y = y + scale P' x}.
     *
     * @param p address of P, rows without gaps. Not modified.
     * @param x address of a coefficient for each row of P. Not modified.
     * @param stride floats from one coefficient to the next
     * @param y address of an element for each column of P. Modified.
     */
    void addRows(int rows, int columns, float scale, long p, long x, int stride, long y);

    /**
     * Compute {@code y = P x}.
     *
     * @param p address of P, rows without gaps. Not modified.
     * @param x address of an element for each column of P. Not modified.
     * @param y address of an element for each row of P. Modified.
     */
    void project(int rows, int columns, long p, long x, long y);

    /**
     * Replace A by the upper triangle U of its Cholesky factorisation {@code A = U' U}.
     *
     * @param order the order of A
     * @param a address of A, of which the upper triangle is read and replaced. Modified.
     * @return whether A is positive definite; if not, A is of no use
     */
    boolean factorise(int order, long a);

    /**
     * Replace every row b of B by the solution x of {@code U x = b}, or of {@code U' x = b}.
     *
     * @param u address of a triangle that {@link #factorise} made. Not modified.
     * @param rows how many rows B has
     * @param b address of B, rows without gaps. Modified.
     */
    void substitute(boolean transposed, int order, long u, int rows, long b);

    /**
     * Replace A by its inverse, by Cholesky factorisation.
     *
     * @param order the order of A
     * @param a address of A, of which the upper triangle is read and replaced. Modified.
     * @return whether A is positive definite; if not, A is of no use
     */
    boolean invert(int order, long a);
  }
}
