package org.pecf.backend.field;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Constant;
import org.pecf.api.field.Linear;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;

class ScoreSlotsTest {
  private final BufferAllocator root = new RootAllocator();
  private final FactorModel first = model();
  private final FactorModel second = model();
  private final FactorModel third = model();

  private FactorModel model() {
    return new FactorModel(FloatMatrix.allocate(root, 2, 1), FloatMatrix.allocate(root, 3, 1));
  }

  @AfterEach
  void close() {
    first.close();
    second.close();
    third.close();
    root.close();
  }

  private ScoreCombination combination(float... coefficients) {
    List<FactorModel> models = List.of(first, second, third).subList(0, coefficients.length);
    Float[] boxed = new Float[coefficients.length];
    for (int k = 0; k < boxed.length; k++) {
      boxed[k] = coefficients[k];
    }
    return new ScoreCombination(models, List.of(boxed));
  }

  @Test
  void scoresAreCollectedFromLinearFieldsInOrder() {
    ScoreCombination scores =
        ScoreCombination.of(
            List.of(
                new Linear.Term(2, CellField.score(first)),
                new Linear.Term(5, new Constant(1)),
                new Linear.Term(-1, CellField.score(second))));
    assertEquals(combination(2, -1), scores);
  }

  @Test
  void negativesShareASlot() {
    ScoreSlots slots = new ScoreSlots();
    assertEquals(new ScoreSlots.Term(1, 0), slots.name(combination(1, 2)));
    assertEquals(new ScoreSlots.Term(-1, 0), slots.name(combination(-1, -2)));
    assertEquals(new ScoreSlots.Term(1, 1), slots.name(combination(1, -2)));
    assertEquals(List.of(combination(1, 2), combination(1, -2)), slots.combinations());
  }

  @Test
  void combinationsAreComposedOfExistingSlots() {
    ScoreSlots slots = new ScoreSlots();
    slots.name(combination(1, 2));
    assertEquals(
        List.of(new ScoreSlots.Term(-1, 0), new ScoreSlots.Term(1, 1)),
        slots.compose(combination(-1, -2, 3)));
    assertEquals(new ScoreCombination(List.of(third), List.of(3f)), slots.combinations().get(1));
    assertEquals(
        List.of(new ScoreSlots.Term(1, 0), new ScoreSlots.Term(1, 1)),
        slots.compose(combination(1, 2, 3)));
    assertEquals(2, slots.combinations().size());
    assertEquals(List.of(new ScoreSlots.Term(1, 2)), slots.compose(combination(2, 2)));
  }

  @Test
  void continuationsKeepProportions() {
    assertTrue(combination(1, 2).isContinuedBy(combination(0.5f, 1, 7)));
    assertFalse(combination(1, 2).isContinuedBy(combination(0.5f, 1.1f, 7)));
    assertFalse(combination(1, 2, 3).isContinuedBy(combination(1, 2)));
  }

  @Test
  void onlyProperPartsLeaveARest() {
    assertEquals(Optional.empty(), combination(1, 2).without(combination(1, 2), 1));
    assertEquals(Optional.empty(), combination(1, 2).without(combination(2), 1));
    assertEquals(
        Optional.of(new ScoreCombination(List.of(second), List.of(2f))),
        combination(1, 2).without(combination(-1), -1));
  }
}
