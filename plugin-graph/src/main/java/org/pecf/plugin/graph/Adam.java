package org.pecf.plugin.graph;

import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.Side;
import org.pecf.api.run.Parallelism;

/**
 * One step of Adam (Kingma and Ba 2015): every parameter moves against the running mean of its
 * slope, divided by the root of the running mean of its square.
 *
 * <p>A row of the state holds the parameters, then the running means of slopes, then those of
 * squares.
 *
 * @param rate the step length
 * @param step which step, from 1 on
 */
record Adam(double rate, long step) {
  /** The numbers that a parameter takes in the state. */
  static final int STATE = 3;

  private static final float MEAN = 0.9f;
  private static final float SQUARE = 0.999f;
  private static final float LEAST = 1e-8f;
  private static final int ROWS = 256;

  /**
   * Do the step.
   *
   * @param state three times the rank of the gradient. Modified.
   * @param gradient the slopes. Not modified.
   */
  void step(FactorModel state, FactorModel gradient, Parallelism parallelism) {
    int rank = gradient.rank();
    float meanScale = (float) (rate / (1 - Math.pow(MEAN, step)));
    float squareScale = (float) (1 / (1 - Math.pow(SQUARE, step)));
    for (Side side : Side.values()) {
      Rows states = new Rows(state.side(side));
      Rows slopes = new Rows(gradient.side(side));
      int count = state.side(side).rows();
      parallelism.forEach(
          (count + ROWS - 1) / ROWS,
          (strip, worker) -> {
            float[] row = new float[STATE * rank];
            float[] slope = new float[rank];
            int end = Math.min(count, (strip + 1) * ROWS);
            for (int index = strip * ROWS; index < end; index++) {
              states.read(index, row);
              slopes.read(index, slope);
              move(row, slope, meanScale, squareScale);
              states.write(index, row);
            }
          });
    }
  }

  private static void move(float[] row, float[] slope, float meanScale, float squareScale) {
    int rank = slope.length;
    for (int k = 0; k < rank; k++) {
      float mean = MEAN * row[rank + k] + (1 - MEAN) * slope[k];
      float square = SQUARE * row[2 * rank + k] + (1 - SQUARE) * slope[k] * slope[k];
      row[rank + k] = mean;
      row[2 * rank + k] = square;
      row[k] -= meanScale * mean / ((float) Math.sqrt(squareScale * square) + LEAST);
    }
  }
}
