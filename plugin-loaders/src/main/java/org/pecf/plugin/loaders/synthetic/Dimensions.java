package org.pecf.plugin.loaders.synthetic;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.Choices;

/**
 * The dimensions of a synthetic data set.
 *
 * @param users the number of users
 * @param items the number of items
 * @param positives the number of positives
 * @param groups the number of taste groups; 0 for pure noise
 * @param law the law by which groups have users and items have popularity
 */
record Dimensions(int users, int items, long positives, int groups, GroupLaw law) {
  private static final Map<String, Dimensions> NAMED = named();

  private static Map<String, Dimensions> named() {
    Map<String, Dimensions> named = new LinkedHashMap<>();
    named.put("demo", new Dimensions(600, 400, 12_000, 16, GroupLaw.MIXED));
    named.put("peer", new Dimensions(6_000, 4_000, 480_000, 20, GroupLaw.MIXED));
    named.put("citeulike", new Dimensions(5_551, 16_980, 204_986, 24, GroupLaw.MIXED));
    named.put("movielens-20m-subset", new Dimensions(27_699, 6_412, 1_800_000, 12, GroupLaw.FILMS));
    named.put("netflix-subset", new Dimensions(19_455, 13_135, 6_300_000, 12, GroupLaw.FILMS));
    named.put("movielens-20m", new Dimensions(138_493, 26_744, 10_000_000, 16, GroupLaw.FILMS));
    named.put("groups", new Dimensions(2_000, 1_000, 60_000, 12, GroupLaw.UNEQUAL));
    named.put("one-group", new Dimensions(2_000, 1_000, 60_000, 1, GroupLaw.MIXED));
    named.put("noise", new Dimensions(600, 1_000, 24_000, 0, GroupLaw.NONE));
    return named;
  }

  Dimensions {
    if (positives > (long) users * items) {
      throw PecfException.badOption(
          "%s positives do not fit into %s x %s cells. Ask for fewer positives, or for more users"
              + " or items.",
          positives, users, items);
    }
    if (positives < 1) {
      throw PecfException.badOption(
          "Synthetic data needs at least one positive. Raise the density.");
    }
  }

  /** Return whether users choose by chance alone. */
  boolean noise() {
    return groups == 0;
  }

  /** Return whether there is a data set of the given name. */
  static boolean exists(String name) {
    return NAMED.containsKey(name);
  }

  /** Return the locations of all named data sets. */
  static List<String> locations() {
    return NAMED.keySet().stream().map(Dimensions::location).toList();
  }

  private static String location(String name) {
    return "builtin:" + name;
  }

  /**
   * Return the dimensions of a named data set, changed by options. A changed size keeps the
   * density.
   */
  static Dimensions of(String name, SyntheticLoaderProvider.Options options) {
    Dimensions preset = NAMED.get(name);
    if (preset == null) {
      throw PecfException.badData(
          "%s", new Choices("embedded data", locations()).unknown(location(name)).getMessage());
    }
    if (preset.noise() && options.groups() > 0) {
      throw PecfException.badOption(
          "The data builtin:%s has no taste groups. Leave synthetic.groups out.", name);
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
    return new Dimensions(
        users,
        items,
        positives,
        options.groups() > 0 ? options.groups() : preset.groups,
        preset.law);
  }

  /**
   * The law of taste groups: their sizes, how many of them a user belongs to, and how popular items
   * are in them.
   *
   * @param popularity the popularity of items
   * @param mostMemberships the largest number of groups of a user
   * @param inequality e: group g, counted from 1, is drawn for users in proportion to g^-e
   */
  record GroupLaw(PopularityCurve popularity, int mostMemberships, double inequality) {
    /** No groups at all. */
    static final GroupLaw NONE = new GroupLaw(PopularityCurve.EVEN, 0, 0);

    /** Groups of equal size, of which users belong to up to three. */
    static final GroupLaw MIXED = new GroupLaw(PopularityCurve.BY_GROUP, 3, 0);

    /** The same groups in the world of films, where everybody knows the same few. */
    static final GroupLaw FILMS = new GroupLaw(PopularityCurve.FILMS, 3, 0);

    /** Groups from a majority to small minorities, of which every user belongs to one. */
    static final GroupLaw UNEQUAL = new GroupLaw(PopularityCurve.BY_GROUP, 1, 1);

    /** Return numbers in proportion to the sizes of groups. */
    double[] sizes(int groups) {
      double[] sizes = new double[groups];
      for (int group = 0; group < groups; group++) {
        sizes[group] = StrictMath.pow(group + 1, -inequality);
      }
      return sizes;
    }
  }

  /**
   * The popularity of items: in proportion to {@code (r + o)^-f (r_g + 4)^-e}, where r is an item's
   * place in an order that all groups share and r_g its place in the group's own order; less for
   * items at home in another group.
   *
   * @param fame f, the strength of the popularity that all groups share
   * @param fameOffset o, as a share of the items
   * @param groupExponent e
   * @param stranger the factor for items at home in another group
   */
  record PopularityCurve(double fame, double fameOffset, double groupExponent, double stranger) {
    private static final double GROUP_OFFSET = 4;

    /** Equal popularity of all items. */
    static final PopularityCurve EVEN = new PopularityCurve(0, 0, 0, 1);

    /** Groups with different tastes, which have little in common. */
    static final PopularityCurve BY_GROUP = new PopularityCurve(0, 0, 0.8, 0.02);

    /**
     * Few items known to everybody, as with films. Fitted to the five-star ratings of MovieLens 1M:
     * the spread of positives over items, the recall of a matrix factorisation and the share of
     * cells that it scores high.
     */
    static final PopularityCurve FILMS = new PopularityCurve(2, 0.0464, 0.2, 0.03);

    /**
     * Return a number in proportion to the popularity of an item in a group.
     *
     * @param place its place in the shared order
     * @param groupPlace its place in the order of the group
     */
    double weight(int items, int place, int groupPlace, boolean home) {
      return StrictMath.pow(groupPlace + GROUP_OFFSET, -groupExponent)
          * (fame == 0 ? 1 : StrictMath.pow(place + fameOffset * items, -fame))
          * (home ? 1 : stranger);
    }
  }
}
