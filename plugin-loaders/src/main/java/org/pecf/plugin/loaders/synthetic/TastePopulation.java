package org.pecf.plugin.loaders.synthetic;

import org.pecf.api.run.Parallelism;
import org.pecf.api.run.Seed;

/** A population with taste groups, where few users and few items have most of the positives. */
final class TastePopulation implements Population {
  private final int[] degrees;
  private final TasteGroups groups;
  private final Coverage coverage;

  TastePopulation(Dimensions dimensions, Seed seed, Parallelism parallelism) {
    degrees = Activity.degrees(dimensions, seed.child("activity"));
    groups = new TasteGroups(dimensions, seed.child("groups"), parallelism);
    coverage = new Coverage(dimensions, degrees, groups, seed.child("coverage"));
  }

  @Override
  public int[] degrees() {
    return degrees;
  }

  @Override
  public ItemSampler sampler() {
    return new TasteSampler(groups, coverage);
  }
}
