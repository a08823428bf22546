package org.pecf.backend.leastsquares;

import java.util.Arrays;

/**
 * The background's equations of one row in the coordinates that all rows share, where they are
 * diagonal: {@code (l + penalty) / (l + mean penalty)} for an eigenvalue l of the background.
 *
 * @param identity whether all elements are one
 * @param elements the elements on the diagonal
 * @param inverse their inverses
 * @param roots memory for the roots of these
 */
record Diagonal(boolean identity, float[] elements, float[] inverse, float[] roots) {
  /** Return the identity. */
  static Diagonal identity(int order) {
    float[] ones = new float[order];
    Arrays.fill(ones, 1);
    return new Diagonal(true, ones, ones, ones);
  }

  /** Return a diagonal of an order to be set. */
  static Diagonal allocate(int order) {
    return new Diagonal(false, new float[order], new float[order], new float[order]);
  }

  /** Return the number of elements. */
  int order() {
    return elements.length;
  }

  /**
   * Set the elements.
   *
   * @param eigenvalues l. Not modified.
   * @param scales the inverse of l plus the mean penalty. Not modified.
   */
  void set(float[] eigenvalues, float[] scales, float penalty) {
    set(elements, inverse, eigenvalues, scales, penalty);
  }

  /** Compute the roots of the inverses, by which vectors are scaled to make this the identity. */
  float[] inverseRoots() {
    for (int k = 0; k < roots.length; k++) {
      roots[k] = (float) Math.sqrt(inverse[k]);
    }
    return roots;
  }

  private static void set(
      float[] elements, float[] inverse, float[] eigenvalues, float[] scales, float penalty) {
    for (int k = 0; k < elements.length; k++) {
      float element = (eigenvalues[k] + penalty) * scales[k];
      elements[k] = element;
      inverse[k] = 1 / element;
    }
  }
}
