package org.pecf.engine.construct.weighting;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.pecf.api.ensemble.EnsembleState;
import org.pecf.api.ensemble.WeightingSchemeProvider;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.testkit.contract.WeightingSchemeContract;
import org.pecf.testkit.fixture.TestGrids;
import org.pecf.testkit.reference.ReferenceComputeSession;

/** The posterior weighting, by contract and by hand. */
class PosteriorWeightingTest extends WeightingSchemeContract {
  @Override
  protected WeightingSchemeProvider<?> provider() {
    return new PosteriorWeighting();
  }

  /** With nu = 10, sigma = 1: rho is 1/11 at error 0 and 1/(1 + 10/e) at error 1. */
  @Test
  void scalesRhoAsNamed() {
    double perfect = 1 / 11.0;
    double wrong = 1 / (1 + 10 * Math.exp(-1));
    assertEquals(0.214, wrong, 5e-4);
    assertWeights("raw", 0.01 * perfect, wrong);
    assertWeights("unit", 0.01, 11 * wrong);
    // Three zeros of c = 0.01 predicted perfectly, one positive of c = 1 predicted as 0.
    double mean = (3 * 0.01 + 1) / (3 * 0.01 * perfect + wrong);
    assertWeights("mean", 0.01 * perfect * mean, wrong * mean);
  }

  private void assertWeights(String scaling, double zero, double positive) {
    PosteriorWeighting provider = new PosteriorWeighting();
    PosteriorOptions options =
        provider.options().bind("test", Map.of("nu", "10", "sigma", "1", "scaling", scaling));
    try (RootAllocator allocator = new RootAllocator();
        SparseCells cells =
            TestGrids.cellsWhere(allocator, new GridShape(2, 2), (user, item) -> user + item == 0);
        ReferenceComputeSession session =
            new ReferenceComputeSession(new GridShape(2, 2), allocator)) {
      EnsembleState state =
          new EnsembleState(
              1,
              new GridShape(2, 2),
              cells,
              CellField.observed(cells, 1, 0.01f),
              CellField.observed(cells, 1, 0),
              CellField.constant(0));
      CellField weights = provider.create(options).weights(state, session.fields());
      assertEquals(positive, weights.valueAt(0, 0), 1e-6);
      assertEquals(zero, weights.valueAt(0, 1), 1e-8);
      assertEquals(zero, weights.valueAt(1, 1), 1e-8);
    }
  }
}
