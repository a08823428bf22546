package org.pecf.benchmarks.peer;

/**
 * The check that a library has learned anything: recall among the best items of every user,
 * training positives left out, averaged over users with a held-out positive.
 */
final class Recall {
  private Recall() {}

  /**
   * Return the mean of hits / held-out positives.
   *
   * @param factors Not modified.
   * @param top how many items a user is shown
   */
  static double at(int top, Factors factors, Positives training, Positives heldOut) {
    int[][] known = training.itemsByUser();
    int[][] wanted = heldOut.itemsByUser();
    int items = factors.items().length;
    float[] scores = new float[items];
    double sum = 0;
    int users = 0;
    for (int user = 0; user < wanted.length; user++) {
      if (wanted[user].length == 0) {
        continue;
      }
      for (int item = 0; item < items; item++) {
        scores[item] = dot(factors.users()[user], factors.items()[item]);
      }
      for (int item : known[user]) {
        scores[item] = Float.NEGATIVE_INFINITY;
      }
      int hits = 0;
      for (int item : wanted[user]) {
        int better = 0;
        for (int other = 0; other < items && better < top; other++) {
          better +=
              scores[other] > scores[item] || scores[other] == scores[item] && other < item ? 1 : 0;
        }
        hits += better < top ? 1 : 0;
      }
      sum += (double) hits / wanted[user].length;
      users++;
    }
    return sum / users;
  }

  private static float dot(float[] a, float[] b) {
    float sum = 0;
    for (int k = 0; k < a.length; k++) {
      sum += a[k] * b[k];
    }
    return sum;
  }
}
