package org.pecf.plugin.loaders.synthetic;

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
   * the spread of positives over items, the recall of a matrix factorisation and the share of cells
   * that it scores high.
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
