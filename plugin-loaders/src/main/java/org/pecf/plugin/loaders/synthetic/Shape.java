package org.pecf.plugin.loaders.synthetic;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.Choices;

/**
 * Say how large synthetic data is.
 *
 * @param users how many users
 * @param items how many items
 * @param positives how many positives
 * @param groups how many taste groups; 0 for pure noise
 * @param popularity how popular items are
 */
record Shape(int users, int items, long positives, int groups, Popularity popularity) {
  private static final Map<String, Shape> NAMED = named();

  private static Map<String, Shape> named() {
    Map<String, Shape> named = new LinkedHashMap<>();
    named.put("demo", new Shape(600, 400, 12_000, 16, Popularity.BY_GROUP));
    named.put("peer", new Shape(6_000, 4_000, 480_000, 20, Popularity.BY_GROUP));
    named.put("citeulike", new Shape(5_551, 16_980, 204_986, 24, Popularity.BY_GROUP));
    named.put("movielens-20m-subset", new Shape(27_699, 6_412, 1_800_000, 12, Popularity.FILMS));
    named.put("netflix-subset", new Shape(19_455, 13_135, 6_300_000, 12, Popularity.FILMS));
    named.put("movielens-20m", new Shape(138_493, 26_744, 10_000_000, 16, Popularity.FILMS));
    named.put("noise", new Shape(600, 1_000, 24_000, 0, Popularity.EVEN));
    return named;
  }

  Shape {
    if (positives > (long) users * items) {
      throw PecfException.badOption(
          "%s positives do not fit into %s x %s cells. Ask for fewer positives, or for more users"
              + " or items.",
          positives, users, items);
    }
    if (positives < 1) {
      throw PecfException.badOption("Synthetic data needs a positive at least. Raise the density.");
    }
  }

  /** Return whether users choose by chance alone. */
  boolean noise() {
    return groups == 0;
  }

  /** Return whether there is a set of a name. */
  static boolean exists(String name) {
    return NAMED.containsKey(name);
  }

  /** Return what can be asked for. */
  static List<String> locations() {
    return NAMED.keySet().stream().map(name -> "builtin:" + name).toList();
  }

  /**
   * Return the shape of a named set with what the options change. A changed size keeps the density.
   */
  static Shape of(String name, SyntheticOptions options) {
    Shape preset = NAMED.get(name);
    if (preset == null) {
      throw PecfException.badData(
          "There is no embedded data 'builtin:%s'.%s There are: %s.",
          name, Choices.suggestion("builtin:" + name, locations()), String.join(", ", locations()));
    }
    if (preset.noise() && options.groups() > 0) {
      throw PecfException.badOption(
          "Builtin:%s has no taste groups. Leave synthetic.groups out.", name);
    }
    int users = options.users() > 0 ? options.users() : preset.users;
    int items = options.items() > 0 ? options.items() : preset.items;
    long positives = options.positives();
    if (positives == 0) {
      boolean same = users == preset.users && items == preset.items;
      double density =
          options.density().orElse((double) preset.positives / preset.users / preset.items);
      positives =
          same && options.density().isEmpty()
              ? preset.positives
              : Math.round(density * users * items);
    }
    return new Shape(
        users,
        items,
        positives,
        options.groups() > 0 ? options.groups() : preset.groups,
        preset.popularity);
  }
}
