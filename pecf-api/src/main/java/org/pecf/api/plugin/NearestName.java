package org.pecf.api.plugin;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Find what a person most likely meant by a name that is not known.
 *
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class NearestName {
  private NearestName() {}

  /**
   * Return the known name nearest to the given one, if any is near enough to be a slip.
   *
   * @param name what was typed. Not modified.
   * @param known the names that exist. Not modified.
   */
  public static Optional<String> of(String name, Collection<String> known) {
    String typed = name.toLowerCase(Locale.ROOT);
    int limit = Math.max(2, typed.length() / 3);
    return known.stream()
        .filter(candidate -> distance(typed, candidate.toLowerCase(Locale.ROOT)) <= limit)
        .min(
            Comparator.comparingInt(
                    (String candidate) -> distance(typed, candidate.toLowerCase(Locale.ROOT)))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** Return " Did you mean 'x'?" for the nearest known name, or an empty string. */
  public static String suggestion(String name, Collection<String> known) {
    return of(name, known).map(nearest -> " Did you mean '" + nearest + "'?").orElse("");
  }

  /** Return the optimal-string-alignment distance: insertions, deletions, changes, swaps. */
  private static int distance(String a, String b) {
    int[][] cost = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          cost[i][j] = i + j;
          continue;
        }
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        int best = Math.min(cost[i - 1][j], cost[i][j - 1]) + 1;
        best = Math.min(best, cost[i - 1][j - 1] + change);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          best = Math.min(best, cost[i - 2][j - 2] + 1);
        }
        cost[i][j] = best;
      }
    }
    return cost[a.length()][b.length()];
  }
}
