package org.pecf.plugin.loaders.synthetic;

/** The users of a synthetic data set: how many positives each has, and what draws them. */
interface Population {
  /** Return the number of positives of each user. */
  int[] degrees();

  /** Return what draws the items of users, for one thread. */
  ItemSampler sampler();
}
