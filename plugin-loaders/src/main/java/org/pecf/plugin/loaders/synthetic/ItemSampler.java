package org.pecf.plugin.loaders.synthetic;

/** A source of the items of one user after the other. Used by one thread. */
interface ItemSampler {
  /**
   * Draw distinct items; which they are depends on the seed and the user only.
   *
   * @return an array that begins with them and is valid until the next call
   */
  int[] items(int user, int wanted);
}
