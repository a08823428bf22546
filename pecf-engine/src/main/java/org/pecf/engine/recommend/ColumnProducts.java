package org.pecf.engine.recommend;

import java.util.Arrays;

/**
 * The dot products of a vector with the rows of a matrix that is stored column by column. Every sum
 * is taken in order, as in plain loops, and neighbouring sums side by side, which the virtual
 * machine turns into vector instructions.
 */
final class ColumnProducts {
  private ColumnProducts() {}

  /**
   * Return rows as columns.
   *
   * @param rows the rows, one after the other. Not modified.
   * @param count the number of rows
   * @param columns the number of columns
   */
  static float[] transposed(float[] rows, int count, int columns) {
    float[] transposed = new float[count * columns];
    for (int row = 0; row < count; row++) {
      for (int column = 0; column < columns; column++) {
        transposed[column * count + row] = rows[row * columns + column];
      }
    }
    return transposed;
  }

  /**
   * Compute {@code products[p] = sum_k vector[k] columns[k][p]}, four columns at a time.
   *
   * @param vector one number per column. Not modified.
   * @param columns the columns, one after the other. Not modified.
   * @param count the length of a column
   * @param products receives the products. Modified.
   */
  static void compute(float[] vector, float[] columns, int count, float[] products) {
    Arrays.fill(products, 0, count, 0);
    int rank = vector.length;
    int k = 0;
    for (; k + 4 <= rank; k += 4) {
      float a = vector[k];
      float b = vector[k + 1];
      float c = vector[k + 2];
      float d = vector[k + 3];
      int ofA = k * count;
      int ofB = ofA + count;
      int ofC = ofB + count;
      int ofD = ofC + count;
      for (int p = 0; p < count; p++) {
        products[p] =
            products[p]
                + a * columns[ofA + p]
                + b * columns[ofB + p]
                + c * columns[ofC + p]
                + d * columns[ofD + p];
      }
    }
    for (; k < rank; k++) {
      float factor = vector[k];
      int at = k * count;
      for (int p = 0; p < count; p++) {
        products[p] += factor * columns[at + p];
      }
    }
  }
}
