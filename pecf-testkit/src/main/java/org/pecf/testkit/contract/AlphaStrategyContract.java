package org.pecf.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.Consumer;
import org.apache.arrow.memory.RootAllocator;
import org.apiguardian.api.API;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.data.Part;
import org.pecf.api.ensemble.AlphaStep;
import org.pecf.api.ensemble.AlphaStrategy;
import org.pecf.api.ensemble.AlphaStrategyProvider;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Linear;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.testkit.fixture.TestGrids;
import org.pecf.testkit.reference.ReferenceComputeSession;

/** The contract of an alpha strategy: extend this class and supply the provider. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public abstract class AlphaStrategyContract extends ProviderContract {
  private static final GridShape SHAPE = new GridShape(21, 16);

  private final RootAllocator root = new RootAllocator();

  /** For subclasses. */
  protected AlphaStrategyContract() {}

  @Override
  protected abstract AlphaStrategyProvider<?> provider();

  /** Close the memory of the test; a leak fails it. */
  @AfterEach
  void closeMemory() {
    root.close();
  }

  /** Good, bad and exaggerated directions give an alpha from 0 to 1. */
  @Test
  public void staysBetweenZeroAndOne() {
    with(
        fixture -> {
          CellField residual = fixture.residual();
          for (float length : new float[] {-100, -1, -0.01f, 0.01f, 0.5f, 1, 3, 100}) {
            assertAlpha(
                fixture.step(1, times(length, residual)), fixture, length + " of the residual");
            assertAlpha(
                fixture.step(1, times(length, CellField.score(fixture.model()))),
                fixture,
                length + " of random scores");
          }
        });
  }

  /** A member that changes nothing gives an alpha from 0 to 1. */
  @Test
  public void staysFiniteForADirectionOfZero() {
    with(
        fixture -> {
          assertAlpha(fixture.step(1, CellField.constant(0)), fixture, "a direction of zero");
          assertAlpha(
              fixture.step(2, times(0, CellField.score(fixture.model()))),
              fixture,
              "scores times zero");
        });
  }

  /** Directions of any size give an alpha from 0 to 1. */
  @Test
  public void staysFiniteForExtremeDirections() {
    with(
        fixture -> {
          for (float scale : new float[] {1e-30f, 1e10f}) {
            assertAlpha(
                fixture.step(1, times(scale, CellField.score(fixture.model()))),
                fixture,
                "scores times " + scale);
          }
        });
  }

  /** A part without cells gives an alpha from 0 to 1. */
  @Test
  public void staysFiniteWithoutCells() {
    with(
        fixture -> {
          AlphaStep step = fixture.step(1, CellField.score(fixture.model()));
          assertAlpha(
              new AlphaStep(1, CellField.constant(0), step.residual(), step.direction()),
              fixture,
              "a part without cells");
        });
  }

  /** Ensembles of any size give an alpha from 0 to 1. */
  @Test
  public void acceptsAnyNumberOfMembers() {
    with(
        fixture -> {
          for (int members : new int[] {1, 2, 10, 1000}) {
            assertAlpha(fixture.step(members, fixture.residual()), fixture, members + " members");
          }
        });
  }

  /** The same step gives the same alpha. */
  @Test
  public void choosesAlikeEveryTime() {
    with(
        fixture -> {
          AlphaStep step = fixture.step(3, times(2, fixture.residual()));
          assertEquals(
              strategy().alpha(step, fixture.session().fields()),
              strategy().alpha(step, fixture.session().fields()));
        });
  }

  /** Cells of confidence zero are not the strategy's to judge by. */
  @Test
  public void judgesByTheGivenCellsAlone() {
    with(
        fixture -> {
          AlphaStep step = fixture.step(1, times(0.5f, CellField.score(fixture.model())));
          CellField elsewhere =
              CellField.product(Grid.PARTITION.mask(Part.TEST), CellField.score(fixture.model()));
          AlphaStep other =
              new AlphaStep(
                  step.members(),
                  step.confidence(),
                  new Linear(
                      List.of(new Linear.Term(1, step.residual()), new Linear.Term(3, elsewhere))),
                  step.direction());
          assertEquals(
              strategy().alpha(step, fixture.session().fields()),
              strategy().alpha(other, fixture.session().fields()),
              1e-9,
              "residuals of cells of confidence zero changed alpha");
        });
  }

  private void assertAlpha(AlphaStep step, Fixture fixture, String what) {
    double alpha = strategy().alpha(step, fixture.session().fields());
    assertTrue(alpha >= 0 && alpha <= 1, () -> "alpha is " + alpha + " for " + what);
  }

  private static CellField times(float factor, CellField field) {
    return new Linear(List.of(new Linear.Term(factor, field)));
  }

  /** An ensemble with something left to explain. */
  private record Fixture(SparseCells positives, FactorModel model, ComputeSession session) {
    CellField residual() {
      return CellField.difference(
          CellField.observed(positives, 1, 0), times(0.1f, CellField.score(model)));
    }

    AlphaStep step(int members, CellField direction) {
      CellField confidence = CellField.observed(positives, 1, 0.01f);
      return new AlphaStep(
          members, CellField.product(Grid.MASK, confidence), residual(), direction);
    }
  }

  private void with(Consumer<Fixture> use) {
    try (SparseCells positives = TestGrids.randomCells(root, SHAPE, 0.15, 41);
        FactorModel model = TestGrids.randomModel(root, SHAPE, 3, 42);
        ComputeSession session = new ReferenceComputeSession(SHAPE, root)) {
      use.accept(new Fixture(positives, model, session));
    }
  }

  private AlphaStrategy strategy() {
    return strategy(provider());
  }

  private <O extends Record> AlphaStrategy strategy(AlphaStrategyProvider<O> provider) {
    return provider.create(provider.options().bind(provider.describe().id(), optionTexts()));
  }
}
