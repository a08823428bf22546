package org.pecf.plugin.loaders.synthetic;

/**
 * Say how popular items are: in proportion to {@code (r + o)^-f (r_g + 4)^-e}, where r is an item's
 * place in an order that all groups share and r_g its place in the group's own; less for items at
 * home in another group.
 *
 * @param fame f, how much more popular than others items are with everybody
 * @param fameOffset o, as a share of the items
 * @param groupExponent e
 * @param stranger the factor for items at home in another group
 */
record Popularity(double fame, double fameOffset, double groupExponent, double stranger) {
  private static final double GROUP_OFFSET = 4;

  /** All items are equally popular. */
  static final Popularity EVEN = new Popularity(0, 0, 0, 1);

  /** Groups of different tastes have little in common. */
  static final Popularity BY_GROUP = new Popularity(0, 0, 0.8, 0.02);

  /**
   * Few items are known to everybody, as films are: fitted to the five-star ratings of MovieLens 1M
   * in how the positives spread over items, in the recall of a matrix factorisation and in the
   * share of cells that it scores high.
   */
  static final Popularity FILMS = new Popularity(2, 0.0464, 0.2, 0.03);

  /**
   * Return how popular an item is in a group: a number in proportion.
   *
   * @param place its place in the order of all
   * @param groupPlace its place in the order of the group
   */
  double weight(int items, int place, int groupPlace, boolean home) {
    return StrictMath.pow(groupPlace + GROUP_OFFSET, -groupExponent)
        * (fame == 0 ? 1 : StrictMath.pow(place + fameOffset * items, -fame))
        * (home ? 1 : stranger);
  }
}
