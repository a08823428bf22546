package org.pecf.backend.leastsquares;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.pecf.api.compute.Ridge;
import org.pecf.api.data.Part;
import org.pecf.api.field.Apply;
import org.pecf.api.field.CellField;
import org.pecf.api.field.CellPartition;
import org.pecf.api.field.Constant;
import org.pecf.api.field.HostField;
import org.pecf.api.field.ItemWeights;
import org.pecf.api.field.Linear;
import org.pecf.api.field.Observed;
import org.pecf.api.field.PartMask;
import org.pecf.api.field.Posterior;
import org.pecf.api.field.Product;
import org.pecf.api.field.Score;
import org.pecf.api.field.Separable;
import org.pecf.api.field.ValueRange;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;

class BackgroundTest {
  private static final PartMask TRAINING = new CellPartition(1, 3, 1, 1).mask(Part.TRAINING);

  @Test
  void scoreBoundIsWhereThePosteriorLeavesTheTolerance() {
    try (RootAllocator allocator = new RootAllocator();
        FactorModel model = FactorModel.allocate(allocator, new GridShape(2, 2), 1)) {
      CellField weights = new Apply(new Posterior(10, 1, 11), List.of(new Score(model)));
      Background background = Background.of(weights, new Constant(0), 0.15);
      // 11 / (1 + 10 exp(-b^2)) = 1 / 0.85, so exp(-b^2) = 0.835.
      assertEquals(Math.sqrt(-Math.log(0.835)), background.scoreBound(), 1e-5);
      assertEquals(1, background.weight(), 1e-6);
      assertTrue(background.weightError() <= 0.15, () -> "" + background.weightError());
      assertEquals(0.15, background.weightError(), 1e-4);
    }
  }

  /**
   * Weights of items in products and sums leave a constant background; in functions they do not.
   */
  @Test
  void aBackgroundMayDifferByItem() {
    try (RootAllocator allocator = new RootAllocator();
        SparseCells cells = SparseCells.ofSorted(allocator, 2, 2, 1, new int[] {1}, new int[] {0});
        FactorModel model = FactorModel.allocate(allocator, new GridShape(2, 2), 1)) {
      ItemWeights items = ItemWeights.ofPopularity(cells, 1);
      assertEquals(4.0 / 3, items.of(0), 1e-6);
      assertEquals(2.0 / 3, items.of(1), 1e-6);
      assertEquals(2, items.ofCount(2), 1e-6);
      CellField zeros = CellField.product(CellField.observed(cells, 0, 0.5f), items);
      CellField weights =
          new Linear(
              List.of(
                  new Linear.Term(1, CellField.observed(cells, 1, 0)), new Linear.Term(1, zeros)));
      CellField rho = new Apply(new Posterior(10, 1, 11), List.of(new Score(model)));
      CellField ratings = CellField.observed(cells, 1, 0);
      for (CellField of :
          List.of(weights, CellField.product(weights, rho), CellField.product(weights, TRAINING))) {
        assertTrue(Background.obstacle(of, ratings, 0.15).isEmpty());
        Background background = Background.of(of, ratings, 0.15);
        assertEquals(items, background.items().orElseThrow());
      }
      assertEquals(0.5, Background.of(weights, ratings, 0.15).weight(), 1e-7);
      CellField blurred = new Linear(List.of(new Linear.Term(1, weights), one(0.1f)));
      CellField squared = CellField.product(weights, items);
      CellField hidden = new Apply(new Posterior(10, 1, 11), List.of(items));
      for (CellField of : List.of(blurred, squared, hidden)) {
        assertTrue(SeparableWeights.items(of).isEmpty(), of.toString());
      }
      assertTrue(
          Background.obstacle(weights, new Score(model), 0.15)
              .orElseThrow()
              .contains("differ by item"));
    }
  }

  /** Factors of users and items around weights leave what is within to be split as ever. */
  @Test
  void aBackgroundMayDifferByUserAndItem() {
    try (RootAllocator allocator = new RootAllocator();
        SparseCells cells = SparseCells.ofSorted(allocator, 2, 2, 1, new int[] {1}, new int[] {0});
        FactorModel model = FactorModel.allocate(allocator, new GridShape(2, 2), 1)) {
      Separable part = new Separable(new float[] {0, 3}, new float[] {2, 5});
      Separable other = new Separable(new float[] {7, 0.5f}, new float[] {1, 0.25f});
      CellField confidence = CellField.observed(cells, 1, 0.5f);
      CellField ratings = CellField.observed(cells, 1, 0);
      CellField weights = CellField.product(part, CellField.product(confidence, other));
      assertTrue(Background.obstacle(weights, ratings, 0.15).isEmpty());
      Background background = Background.of(weights, ratings, 0.15);
      assertEquals(0.5, background.weight());
      assertEquals(confidence, background.within(weights));
      assertEquals(0, background.factor(Side.USERS, 0));
      assertEquals(1.5, background.factor(Side.USERS, 1));
      assertEquals(2, background.factor(Side.ITEMS, 0));
      assertEquals(1.25, background.factor(Side.ITEMS, 1));
      // Row sums of 1.5 (2 + 0.5 * 1.25) and 0; column sums of 1.5 * 2 and 1.5 * 0.5 * 1.25: the
      // excess of the positive is 0.5, times the item's factor, or the user's.
      Penalties penalties =
          background.penalties(
              new Ridge(1, 1, 1),
              new GridShape(2, 2),
              new double[] {0, 0.5 * 2},
              new double[] {0.5 * 1.5, 0});
      assertArrayEquals(new double[] {0, 2}, penalties.users(), 1e-12);
      double mean = (3 + 0.9375) / 2;
      assertArrayEquals(new double[] {3 / mean, 0.9375 / mean}, penalties.items(), 1e-12);
      assertEquals(
          Optional.of(
              "the weights of zeros differ by user and item, and the targets of zeros by score"),
          Background.obstacle(weights, new Score(model), 0.15));
      CellField hidden = new Apply(new Posterior(10, 1, 11), List.of(part));
      assertTrue(Background.obstacle(hidden, ratings, 0.15).isPresent());
    }
  }

  private static Linear.Term one(float value) {
    return new Linear.Term(1, new Constant(value));
  }

  @Test
  void heldOutCellsCountByExpectation() {
    CellField weights = new Product(List.of(TRAINING, new Constant(0.5f)));
    Background background = Background.of(weights, new Constant(0), 0.1);
    assertEquals(0.5 * 0.6, background.weight(), 1e-8);
    assertEquals(Float.POSITIVE_INFINITY, background.scoreBound());
    assertEquals(0, background.weightError());
  }

  @Test
  void observedCellsAreExceptionsAndTheirOutsideIsTheTarget() {
    try (RootAllocator allocator = new RootAllocator();
        SparseCells cells = SparseCells.ofSorted(allocator, 2, 2, 1, new int[] {1}, new int[] {0});
        FactorModel model = FactorModel.allocate(allocator, new GridShape(2, 2), 1)) {
      CellField targets =
          new Linear(
              List.of(
                  new Linear.Term(2, new Observed(cells, 1, 0.25f)),
                  new Linear.Term(-1, new Score(model))));
      Background background = Background.of(new Constant(1), targets, 0.1);
      assertEquals(Set.of(cells.lent()), background.observed());
      assertEquals(0.5, background.constantTarget());
    }
  }

  /** A field of a plugin that knows its values off the exceptions. */
  private record Bounded(ValueRange range) implements HostField {
    @Override
    public float valueAt(int user, int item) {
      return (float) ((user + item) % 2 == 0 ? range.low() : range.high());
    }

    @Override
    public ValueRange background(float scoreBound) {
      return range;
    }
  }

  @Test
  void hostFieldsThatAreBoundedCountByTheirMiddle() {
    CellField weights =
        new Product(List.of(new Constant(0.5f), new Bounded(new ValueRange(0.9, 1.1))));
    assertTrue(Background.obstacle(weights, new Constant(0), 0.15).isEmpty());
    Background background = Background.of(weights, new Constant(0), 0.15);
    assertEquals(0.495, background.weight(), 1e-6);
    assertEquals(0.1, background.weightError(), 1e-6);
    assertEquals(Float.POSITIVE_INFINITY, background.scoreBound());
    CellField alike = new Bounded(ValueRange.of(0.25));
    assertEquals(0.25, Background.of(alike, new Constant(0), 0.15).weight());
  }

  @Test
  void hostFieldsThatVaryTooMuchAreNamedAsSuch() {
    for (ValueRange range : List.of(new ValueRange(0.5, 1), new ValueRange(0, 1))) {
      String obstacle =
          Background.obstacle(new Bounded(range), new Constant(0), 0.15).orElseThrow();
      assertEquals(
          "the weights of background cells lie between "
              + range.low()
              + " and 1.0, too far apart for a relative error of 0.15",
          obstacle);
    }
    assertEquals(
        "the weights have no bounded background (a host field or function)",
        Background.obstacle(new Bounded(ValueRange.UNBOUNDED), new Constant(0), 0.15)
            .orElseThrow());
  }

  @Test
  void withoutToleranceEveryCellIsAnException() {
    assertTrue(Background.of(TRAINING, new Constant(0), 0).everything());
  }

  @Test
  void namesWhatCannotBeSplit() {
    CellField hidden = new Apply(new Posterior(10, 1, 1), List.of(TRAINING));
    assertEquals(
        "the weights use a part mask inside a function",
        Background.obstacle(hidden, new Constant(0), 0.1).orElseThrow());
    assertEquals(
        "the targets are not a sum of ratings and scores",
        Background.obstacle(new Constant(1), new Product(List.of(TRAINING)), 0.1).orElseThrow());
    assertTrue(Background.obstacle(hidden, new Constant(0), 0).isEmpty());
  }
}
