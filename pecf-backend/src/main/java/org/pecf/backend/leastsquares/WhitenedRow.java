package org.pecf.backend.leastsquares;

import org.pecf.backend.algebra.FloatSlice;
import org.pecf.backend.algebra.MatrixSlice;

/**
 * The equations of one row in coordinates where those of the background are diagonal.
 *
 * <p>All rows share the eigenvectors E of {@code b V'V = E' diag(l) E}, one a row of E, whatever
 * their penalties. In coordinates {@code z = T'^-1 x}, where T holds these eigenvectors scaled by
 * {@code (l + mean penalty / 2)^-1/2}, a row's equations are {@code (G + Q' D Q) z = h}: the rows
 * of Q are {@code q_j = T v_j} of its exceptions, D their excess weights, and G is diagonal, the
 * identity for a row with the mean penalty.
 *
 * @param diagonal G
 * @param count the number of exceptions
 * @param above the number of exceptions above the background; these come first
 * @param uniform whether the excess takes at most one value above the background and one below
 * @param excess the excess weight of each exception, none of them zero
 * @param rows q_j of each exception
 * @param pulls the contribution of each exception to the right-hand side, in units of its v_j
 * @param stride the floats from one pull to the next
 */
record WhitenedRow(
    Diagonal diagonal,
    int count,
    int above,
    boolean uniform,
    float[] excess,
    MatrixSlice rows,
    FloatSlice pulls,
    int stride) {}
