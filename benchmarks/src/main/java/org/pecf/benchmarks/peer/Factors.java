package org.pecf.benchmarks.peer;

/**
 * The factors that a library learned, one row per user and item of the file. A user or item that
 * the library knows nothing of has a row of zeros.
 *
 * @param users rows of user factors
 * @param items rows of item factors
 */
public record Factors(float[][] users, float[][] items) {
  /** Return zeros to be filled. */
  public static Factors zeros(int users, int items, int rank) {
    return new Factors(new float[users][rank], new float[items][rank]);
  }
}
