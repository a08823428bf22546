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

  /**
   * With nu = 10, sigma = 1, unit scaling and a prediction of 0.5 everywhere: an error of 0.5 gets
   * 11 / (1 + 10 exp(-1/4)) by error, 1 if plain, and 1 + 1/11 - 1 / (1 + 10 exp(-1/4)) by doubt.
   */
  @Test
  void weighsPositivesAndZerosByRulesOfTheirOwn() {
    double rho = 1 / (1 + 10 * Math.exp(-0.25));
    double error = 11 * rho;
    double doubt = 1 + 1 / 11.0 - rho;
    assertRules("error", "error", error, error);
    assertRules("error", "plain", error, 1);
    assertRules("plain", "error", 1, error);
    assertRules("plain", "plain", 1, 1);
    assertRules("plain", "doubt", 1, doubt);
    assertRules("error", "doubt", error, doubt);
  }

  private void assertRules(String positives, String zeros, double positive, double zero) {
    assertWeights(
        Map.of("nu", "10", "sigma", "1", "scaling", "unit", "positives", positives, "zeros", zeros),
        0.5f,
        0.01 * zero,
        positive);
  }

  private void assertWeights(String scaling, double zero, double positive) {
    assertWeights(
        Map.of(
            "nu", "10", "sigma", "1", "scaling", scaling, "positives", "error", "zeros", "error"),
        0,
        zero,
        positive);
  }

  private void assertWeights(
      Map<String, String> texts, float prediction, double zero, double positive) {
    PosteriorWeighting provider = new PosteriorWeighting();
    PosteriorWeighting.Options options = provider.options().bind("test", texts);
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
              CellField.constant(prediction));
      CellField weights = provider.create(options).weights(state, session.fields());
      assertEquals(positive, weights.valueAt(0, 0), 2e-6);
      assertEquals(zero, weights.valueAt(0, 1), 1e-8);
      assertEquals(zero, weights.valueAt(1, 1), 1e-8);
    }
  }
}
