package org.pecf.plugin.backend.cpu.leastsquares;

/**
 * Hold the exceptions of one row in coordinates where the background's equations are the identity.
 *
 * <p>All rows share {@code M = b V'V + lambda / 2 I = U'U}. In coordinates {@code z = U x} a row's
 * equations are {@code (I + Q' D Q) z = h}, where the rows of Q are {@code q_j = U'^-1 v_j} of its
 * exceptions and D their excess weights.
 *
 * @param count how many exceptions there are
 * @param above how many of them are above the background; these come first
 * @param uniform whether the excess takes one value above the background and one below at most
 * @param excess the excess weight of each, none of them zero
 * @param rows the address of q_j of each, row after row
 * @param pulls the address of what each adds to the right-hand side, in units of its v_j
 * @param stride floats from one pull to the next
 */
record WhitenedRow(
    int count, int above, boolean uniform, float[] excess, long rows, long pulls, int stride) {}
