package org.pecf.plugin.loaders.synthetic;

/** A sampler of the items of one user after the other, used by one thread. */
interface ItemSampler {
  /**
   * Draw distinct items, which depend on the seed and the user only.
   *
   * @return an array that begins with the items and is valid until the next call
   */
  int[] items(int user, int wanted);
}
