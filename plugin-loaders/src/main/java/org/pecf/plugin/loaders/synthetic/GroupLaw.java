package org.pecf.plugin.loaders.synthetic;

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
