package org.pecf.engine.ensemble;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseProductModel;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.RunListener;
import org.pecf.testkit.fixture.DirectParallelism;
import org.pecf.testkit.fixture.SparseProducts;
import org.pecf.testkit.fixture.TestGrids;
import org.pecf.testkit.reference.ReferenceComputeSession;

class StandardisationTest {
  private static final GridShape SHAPE = new GridShape(11, 17);

  private final RootAllocator root = new RootAllocator();

  @AfterEach
  void closeMemory() {
    root.close();
  }

  /** Standardise a model and compare every user's scores with the definition. */
  private void assertStandard(ScoreModel model, Class<? extends ScoreModel> kind) {
    float[][] before = scores(model);
    try (ComputeSession session = new ReferenceComputeSession(SHAPE, root)) {
      RunContext run =
          new RunContext(root, new DirectParallelism(), () -> false, RunListener.none());
      float[] factors = Standardisation.factors(model, session.fields(), run);
      try (ScoreModel scaled = Standardisation.scaled(model, factors, root)) {
        assertInstanceOf(kind, scaled);
        for (int user = 0; user < SHAPE.users(); user++) {
          float[] own = before[user];
          double mean = IntStream.range(0, own.length).mapToDouble(j -> own[j]).average().orElse(0);
          double deviation =
              Math.sqrt(
                  IntStream.range(0, own.length)
                      .mapToDouble(j -> Math.pow(own[j] - mean, 2))
                      .average()
                      .orElse(0));
          for (int item = 1; item < SHAPE.items(); item++) {
            assertEquals(
                (own[item] - own[0]) / (deviation > 0 ? deviation : 1),
                scaled.scoreAt(user, item) - scaled.scoreAt(user, 0),
                1e-5);
          }
        }
      }
    }
  }

  private static float[][] scores(ScoreModel model) {
    float[][] scores = new float[SHAPE.users()][SHAPE.items()];
    for (int user = 0; user < SHAPE.users(); user++) {
      model.scoreRow(user, scores[user]);
    }
    return scores;
  }

  @Test
  void aFactorModelStaysOne() {
    FactorModel model = TestGrids.randomModel(root, SHAPE, 3, 5);
    model.users().writeRows(4, 1, new float[3]);
    assertStandard(model, FactorModel.class);
  }

  @Test
  void aSparseProductStaysOne() {
    for (Side inner : Side.values()) {
      assertStandard(SparseProducts.random(root, SHAPE, inner, 0.4, 3), SparseProductModel.class);
    }
  }

  @Test
  void aModelOfItsOwnKindIsScaledToo() {
    ScoreModel model =
        new ScoreModel() {
          @Override
          public GridShape shape() {
            return SHAPE;
          }

          @Override
          public float scoreAt(int user, int item) {
            return user * (item % 5 - 2f);
          }

          @Override
          public ScoreModel transferTo(BufferAllocator target) {
            return this;
          }

          @Override
          public void close() {}
        };
    assertStandard(model, ScoreModel.class);
  }

  @Test
  void scoresThatDoNotVaryStayAsTheyAre() {
    assertEquals(1, Standardisation.factor(new float[] {0.1f, 0.1f, 0.1f}));
    assertEquals(1, Standardisation.factor(new float[3]));
    assertEquals(1, Standardisation.factor(new float[] {1e-44f, 0, 0}));
    assertEquals(0.5f, Standardisation.factor(new float[] {-2, 2, 2, -2}));
    assertTrue(Float.isFinite(Standardisation.factor(new float[] {3e38f, -3e38f})));
  }
}
