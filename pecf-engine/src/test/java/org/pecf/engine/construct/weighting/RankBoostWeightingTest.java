package org.pecf.engine.construct.weighting;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.pecf.api.ensemble.EnsembleState;
import org.pecf.api.ensemble.WeightingSchemeProvider;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.testkit.contract.WeightingSchemeContract;
import org.pecf.testkit.fixture.TestGrids;
import org.pecf.testkit.reference.ReferenceComputeSession;

/** RankBoost's weights, by contract and pair by pair. */
class RankBoostWeightingTest extends WeightingSchemeContract {
  private static final GridShape SHAPE = new GridShape(5, 6);

  @Override
  protected WeightingSchemeProvider<?> provider() {
    return new RankBoostWeighting();
  }

  /**
   * A cell weighs as much as all pairs that it is in: the weights of its class, over its class's
   * total, are the shares of the pairs.
   */
  @Test
  void weighsACellLikeItsPairs() {
    double rate = 1.7;
    try (RootAllocator allocator = new RootAllocator();
        SparseCells cells = TestGrids.randomCells(allocator, SHAPE, 0.3, 2);
        FactorModel model = TestGrids.randomModel(allocator, SHAPE, 2, 3);
        ReferenceComputeSession session = new ReferenceComputeSession(SHAPE, allocator)) {
      EnsembleState state =
          new EnsembleState(
              1,
              SHAPE,
              cells,
              CellField.observed(cells, 1, 0.1f),
              CellField.observed(cells, 1, 0),
              CellField.score(model));
      double[] pairs = new double[SHAPE.users() * SHAPE.items()];
      double total = 0;
      for (int one = 0; one < pairs.length; one++) {
        for (int other = 0; other < pairs.length; other++) {
          if (at(state.ratings(), one) == 1 && at(state.ratings(), other) == 0) {
            double weight =
                at(state.confidence(), one)
                    * at(state.confidence(), other)
                    * Math.exp(
                        rate * (at(state.prediction(), other) - at(state.prediction(), one)));
            pairs[one] += weight;
            pairs[other] += weight;
            total += weight;
          }
        }
      }
      CellField weights =
          new RankBoostWeighting()
              .create(
                  new RankBoostWeighting()
                      .options()
                      .bind("test", Map.of("rate", String.valueOf(rate))))
              .weights(state, session.fields());
      double zeros = 0.1 * (pairs.length - cells.count());
      for (int cell = 0; cell < pairs.length; cell++) {
        double ofClass = at(state.ratings(), cell) == 1 ? cells.count() : zeros;
        assertEquals(pairs[cell] / total * ofClass, at(weights, cell), 1e-5, "cell " + cell);
      }
      double[] sums = session.fields().sums(List.of(state.confidence(), weights));
      assertEquals(sums[0], sums[1], 1e-5 * sums[0], "the total weight");
    }
  }

  private static double at(CellField field, int cell) {
    return field.valueAt(cell / SHAPE.items(), cell % SHAPE.items());
  }
}
