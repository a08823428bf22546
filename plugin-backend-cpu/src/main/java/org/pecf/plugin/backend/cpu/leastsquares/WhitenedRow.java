package org.pecf.plugin.backend.cpu.leastsquares;

import org.pecf.plugin.backend.cpu.algebra.FloatSlice;
import org.pecf.plugin.backend.cpu.algebra.MatrixSlice;

/**
 * The exceptions of one row in coordinates where the background's equations are the identity.
 *
 * <p>All rows share {@code M = b V'V + lambda / 2 I = U'U}. In coordinates {@code z = U x} a row's
 * equations are {@code (I + Q' D Q) z = h}, where the rows of Q are {@code q_j = U'^-1 v_j} of its
 * exceptions and D their excess weights.
 *
 * @param count the number of exceptions
 * @param above the number of exceptions above the background; these come first
 * @param uniform whether the excess takes at most one value above the background and one below
 * @param excess the excess weight of each exception, none of them zero
 * @param rows q_j of each exception
 * @param pulls the contribution of each exception to the right-hand side, in units of its v_j
 * @param stride the floats from one pull to the next
 */
record WhitenedRow(
    int count,
    int above,
    boolean uniform,
    float[] excess,
    MatrixSlice rows,
    FloatSlice pulls,
    int stride) {}
