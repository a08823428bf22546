package org.pecf.api.plugin;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.pecf.api.PecfException;

/**
 * The things of one kind that a person can choose from by name.
 *
 * @param kind the word for one of them, such as "construction"
 * @param names the names of all of them, in the order in which messages list them
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Choices(String kind, List<String> names) {
  public Choices {
    names = List.copyOf(names);
  }

  /**
   * Return the element of a name.
   *
   * @param kind the word for one element, such as "construction"
   * @param name the name that was given
   * @param elements the elements to choose from. Not modified.
   * @param nameOf gives the name of an element
   * @throws PecfException if no element has the name; the text suggests the nearest one
   */
  public static <T> T find(
      String kind, String name, Collection<T> elements, Function<T, String> nameOf) {
    return elements.stream()
        .filter(element -> nameOf.apply(element).equals(name))
        .findFirst()
        .orElseThrow(() -> new Choices(kind, elements.stream().map(nameOf).toList()).unknown(name));
  }

  /** Return the constant of an enum whose name, in lower case with hyphens, is the given one. */
  public static <E extends Enum<E>> E find(String kind, String name, Class<E> type) {
    return find(kind, name, List.of(type.getEnumConstants()), Choices::nameOf);
  }

  /** Return the name by which people choose a constant: lower case, with hyphens. */
  public static String nameOf(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Create the report that a name is not among these, with the nearest one and all of them. */
  public PecfException unknown(String name) {
    return PecfException.badOption(
        "There is no %s '%s'.%s%s",
        kind,
        name,
        suggestion(name, names),
        names.isEmpty() ? "" : " Known: " + String.join(", ", names) + ".");
  }

  /** Return " Did you mean 'x'?" for the nearest known name, or an empty string. */
  public static String suggestion(String name, Collection<String> known) {
    return nearest(name, known).map(" Did you mean '%s'?"::formatted).orElse("");
  }

  /**
   * Return the known name nearest to the given one, if any is near enough to be a slip.
   *
   * @param name the name as typed
   * @param known the names that exist. Not modified.
   */
  public static Optional<String> nearest(String name, Collection<String> known) {
    String typed = name.toLowerCase(Locale.ROOT);
    int limit = Math.max(2, typed.length() / 3);
    return known.stream()
        .filter(candidate -> distance(typed, candidate.toLowerCase(Locale.ROOT)) <= limit)
        .min(
            Comparator.comparingInt(
                    (String candidate) -> distance(typed, candidate.toLowerCase(Locale.ROOT)))
                .thenComparing(Comparator.naturalOrder()));
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
