package org.pecf.engine.ensemble;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.field.Linear;
import org.pecf.api.field.Score;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;

class EnsembleTest {
  private static final GridShape SHAPE = new GridShape(2, 3);

  private final BufferAllocator allocator = new RootAllocator();
  private final Ensemble ensemble = new Ensemble(SHAPE);

  @AfterEach
  void close() {
    ensemble.close();
    allocator.close();
  }

  /** Score every cell with one value. */
  private FactorModel constant(float value) {
    FactorModel model = FactorModel.allocate(allocator, SHAPE, 1);
    for (int user = 0; user < SHAPE.users(); user++) {
      model.users().set(user, 0, value);
    }
    for (int item = 0; item < SHAPE.items(); item++) {
      model.items().set(item, 0, 1);
    }
    return model;
  }

  @Test
  void convexWeightsAreProductsAndSumToOne() {
    ensemble.add(constant(1), "wmf", Combination.CONVEX, 1);
    ensemble.add(constant(2), "wmf", Combination.CONVEX, 0.5);
    ensemble.add(constant(4), "bpr", Combination.CONVEX, 0.25);
    assertArrayEquals(new double[] {0.375, 0.375, 0.25}, ensemble.weights());
    assertEquals(0.375f * 1 + 0.375f * 2 + 0.25f * 4, ensemble.prediction().valueAt(1, 2));

    Random random = new Random(5);
    for (int k = 0; k < 40; k++) {
      ensemble.add(constant(k), "wmf", Combination.CONVEX, random.nextDouble());
      assertEquals(1, Arrays.stream(ensemble.weights()).sum(), 1e-14);
    }
  }

  @Test
  void uniformStepsGiveUniformWeights() {
    for (int k = 0; k < 7; k++) {
      ensemble.add(constant(k), "wmf", Combination.CONVEX, 1.0 / (k + 1));
    }
    for (double weight : ensemble.weights()) {
      assertEquals(1.0 / 7, weight, 1e-15);
    }
  }

  @Test
  void additiveMembersLeaveTheOthersAlone() {
    ensemble.add(constant(1), "wmf", Combination.ADDITIVE, 0.5);
    ensemble.add(constant(2), "wmf", Combination.ADDITIVE, 0.25);
    ensemble.add(constant(4), "wmf", Combination.ADDITIVE, 2);
    assertArrayEquals(new double[] {0.5, 0.25, 2}, ensemble.weights());
    assertEquals(9, ensemble.prediction().valueAt(0, 0));
  }

  @Test
  void aPrefixHasExactlyTheWeightsItHadThen() {
    Random random = new Random(11);
    double[][] history = new double[20][];
    for (int k = 0; k < history.length; k++) {
      Combination combination = k % 3 == 2 ? Combination.ADDITIVE : Combination.CONVEX;
      ensemble.add(constant(k), "wmf", combination, k == 0 ? 1 : random.nextDouble());
      history[k] = ensemble.weights();
    }
    for (int k = 0; k < history.length; k++) {
      assertArrayEquals(history[k], ensemble.prefix(k + 1));
    }
    float before = ensemble.prediction(7).valueAt(0, 1);
    ensemble.truncate(7);
    assertEquals(7, ensemble.size());
    assertArrayEquals(history[6], ensemble.weights());
    assertEquals(before, ensemble.prediction().valueAt(0, 1));
  }

  @Test
  void truncatingFreesTheDroppedMembers() {
    ensemble.add(constant(1), "wmf", Combination.CONVEX, 1);
    long one = allocator.getAllocatedMemory();
    ensemble.add(constant(2), "wmf", Combination.CONVEX, 0.5);
    ensemble.add(constant(3), "wmf", Combination.CONVEX, 0.5);
    assertEquals(3 * one, allocator.getAllocatedMemory());
    ensemble.truncate(1);
    assertEquals(one, allocator.getAllocatedMemory());
    ensemble.close();
    assertEquals(0, allocator.getAllocatedMemory());
  }

  @Test
  void thePredictionIsALinearCombinationOfScores() {
    FactorModel first = constant(1);
    FactorModel second = constant(2);
    ensemble.add(first, "wmf", Combination.CONVEX, 1);
    ensemble.add(second, "bpr", Combination.CONVEX, 0.75);
    Linear prediction = (Linear) ensemble.prediction();
    assertEquals(new Linear.Term(0.25f, new Score(first)), prediction.terms().get(0));
    assertEquals(new Linear.Term(0.75f, new Score(second)), prediction.terms().get(1));
    assertEquals("bpr", ensemble.members().get(1).filterId());
  }

  @Test
  void stepsWithoutMeaningAreRefused() {
    try (FactorModel model = constant(1);
        FactorModel other = FactorModel.allocate(allocator, new GridShape(3, 2), 1)) {
      assertThrows(
          IllegalArgumentException.class,
          () -> ensemble.add(model, "wmf", Combination.CONVEX, 0.5));
      assertThrows(
          IllegalArgumentException.class,
          () -> ensemble.add(model, "wmf", Combination.ADDITIVE, Double.NaN));
      assertThrows(
          IllegalArgumentException.class, () -> ensemble.add(other, "wmf", Combination.CONVEX, 1));
      assertThrows(IllegalArgumentException.class, () -> ensemble.prefix(1));
    }
    assertEquals(0, ensemble.size());
  }
}
