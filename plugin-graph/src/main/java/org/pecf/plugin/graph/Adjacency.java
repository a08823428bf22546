package org.pecf.plugin.graph;

/**
 * The positives of the rows of one side, in compressed form: those of a row are at positions {@code
 * starts[row]} to {@code starts[row + 1] - 1}.
 *
 * @param starts one more than there are rows
 * @param neighbours the row of the other side of each positive
 * @param weights the weight of each positive
 * @param edges {@code w_ij / sqrt(s_i s_j)} of each positive, where s is the sum of the weights of
 *     a row
 */
record Adjacency(int[] starts, int[] neighbours, float[] weights, float[] edges) {
  /** Return the number of rows. */
  int rows() {
    return starts.length - 1;
  }

  /** Return the sum of the weights of a row. */
  double weight(int row) {
    double sum = 0;
    for (int position = starts[row]; position < starts[row + 1]; position++) {
      sum += weights[position];
    }
    return sum;
  }
}
