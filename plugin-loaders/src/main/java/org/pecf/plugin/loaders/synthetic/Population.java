package org.pecf.plugin.loaders.synthetic;

/** The users of a synthetic data set: the number of positives of each, and a way to draw them. */
interface Population {
  /** Return the number of positives of each user. */
  int[] degrees();

  /** Return a sampler of the items of users, for one thread. */
  ItemSampler sampler();
}
