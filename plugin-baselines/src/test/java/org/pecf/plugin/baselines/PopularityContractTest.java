package org.pecf.plugin.baselines;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.testkit.contract.BaseFilterContract;

/** Popularity as a base filter. */
class PopularityContractTest extends BaseFilterContract {
  @Override
  protected BaseFilterProvider<?> provider() {
    return new PopularityProvider();
  }

  @Override
  protected Map<String, String> optionTexts() {
    return Map.of();
  }

  /** On the checkerboard, where every item is liked by as many, it can only guess. */
  @Override
  protected double accuracy() {
    return 0.5;
  }

  @Override
  protected boolean dependsOnSeed() {
    return false;
  }

  /** The contract's way to see it needs a filter that tells users apart. */
  @Test
  @Override
  public void learnsNothingFromCellsOfWeightZero() {
    try (Training training = new Training()) {
      double[][] ratings = {{1, 0}, {0, 1}, {1, 1}};
      double[][] weights = {{1, 0.5}, {0, 1}, {0, 1}};
      double[][] scores =
          training.scores(
              new PopularityProvider().create(new PopularityProvider.Options(1e-6)),
              ratings,
              weights);
      for (double[] user : scores) {
        assertEquals(1, user[0], 1e-5, "the two cells of weight zero count");
        assertEquals(2 / 2.5, user[1], 1e-5);
      }
    }
  }
}
