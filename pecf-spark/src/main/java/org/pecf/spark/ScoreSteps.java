package org.pecf.spark;

import java.io.Serializable;
import java.util.Arrays;

/**
 * The steps that lead from the members' scores to the ensemble's: {@code F = s_k F + c_k U_k V_k'}
 * for each member k. They are those by which the CPU backend keeps its scores up to date, so that
 * scores have the same bits.
 */
final class ScoreSteps implements Serializable {
  private static final long serialVersionUID = 1;

  private final float[] scales;
  private final float[] coefficients;

  private ScoreSteps(float[] scales, float[] coefficients) {
    this.scales = scales;
    this.coefficients = coefficients;
  }

  /** Return no steps. */
  static ScoreSteps none() {
    return new ScoreSteps(new float[0], new float[0]);
  }

  /**
   * Return the steps after a member joined.
   *
   * @param before the weights of members before. Not modified.
   * @param after the weights of members with the new one. Not modified.
   */
  ScoreSteps joined(double[] before, double[] after) {
    int last = after.length - 1;
    if (last > 0 && (float) before[0] != 0 && (float) after[0] != 0) {
      float[] moreScales = Arrays.copyOf(scales, last + 1);
      float[] moreCoefficients = Arrays.copyOf(coefficients, last + 1);
      moreScales[last] = (float) after[0] / (float) before[0];
      moreCoefficients[last] = (float) after[last];
      return new ScoreSteps(moreScales, moreCoefficients);
    }
    // Proportions are lost where the first member's weight is: start over.
    float[] newScales = new float[last + 1];
    float[] newCoefficients = new float[last + 1];
    for (int k = 0; k <= last; k++) {
      newScales[k] = k == 0 ? 0 : 1;
      newCoefficients[k] = (float) after[k];
    }
    return new ScoreSteps(newScales, newCoefficients);
  }

  /** Return the number by which the scores before are multiplied when a member's are added. */
  float scale(int member) {
    return scales[member];
  }

  /** Return the number by which a member's scores are multiplied when they are added. */
  float coefficient(int member) {
    return coefficients[member];
  }
}
