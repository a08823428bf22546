package org.pecf.engine.recommend.foldin;

/** The dot products of a vector with the rows of a matrix on the heap. */
public final class RowProducts {
  private RowProducts() {}

  /**
   * Compute {@code products[from + p] = sum_k vector[k] rows[p][k]} for the first rows, four at a
   * time to keep the processor busy; each sum is taken in order.
   *
   * @param vector as long as a row. Not modified.
   * @param rows the rows, one after the other. Not modified.
   * @param count the number of rows
   * @param products receives the products. Modified.
   * @param from the place of the first product
   */
  public static void compute(float[] vector, float[] rows, int count, float[] products, int from) {
    int rank = vector.length;
    int row = 0;
    for (; row + 4 <= count; row += 4) {
      int at = row * rank;
      float a = 0;
      float b = 0;
      float c = 0;
      float d = 0;
      for (int k = 0; k < rank; k++) {
        float factor = vector[k];
        a += factor * rows[at + k];
        b += factor * rows[at + rank + k];
        c += factor * rows[at + 2 * rank + k];
        d += factor * rows[at + 3 * rank + k];
      }
      products[from + row] = a;
      products[from + row + 1] = b;
      products[from + row + 2] = c;
      products[from + row + 3] = d;
    }
    for (; row < count; row++) {
      float sum = 0;
      for (int k = 0; k < rank; k++) {
        sum += vector[k] * rows[row * rank + k];
      }
      products[from + row] = sum;
    }
  }
}
