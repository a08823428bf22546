package org.pecf.backend.algebra;

/** The dot product of vectors that are too short for a library call: up to a few hundred floats. */
public final class DotProduct {
  private DotProduct() {}

  /** Return the sum of products, as four interleaved sums that do not wait for each other. */
  public static float of(float[] left, float[] right, int count) {
    float a = 0;
    float b = 0;
    float c = 0;
    float d = 0;
    int k = 0;
    for (; k + 3 < count; k += 4) {
      a += left[k] * right[k];
      b += left[k + 1] * right[k + 1];
      c += left[k + 2] * right[k + 2];
      d += left[k + 3] * right[k + 3];
    }
    for (; k < count; k++) {
      a += left[k] * right[k];
    }
    return a + b + (c + d);
  }
}
