package org.pecf.plugin.bpr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.data.Part;
import org.pecf.api.field.Apply;
import org.pecf.api.field.CellField;
import org.pecf.api.field.CellPartition;
import org.pecf.api.field.Linear;
import org.pecf.api.field.PartMask;
import org.pecf.api.field.Posterior;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.support.NegativeCells;
import org.pecf.testkit.fixture.TestGrids;

class NegativeCellsTest {
  private static final PartMask MASK = new CellPartition(1, 3, 1, 1).mask(Part.TRAINING);

  private final RootAllocator root = new RootAllocator();
  private SparseCells positives;
  private SparseCells heldOut;

  @BeforeEach
  void makeCells() {
    positives = TestGrids.randomCells(root, new GridShape(4, 5), 0.5, 1);
    heldOut = TestGrids.randomCells(root, new GridShape(4, 5), 0.2, 2);
  }

  @AfterEach
  void closeMemory() {
    positives.close();
    heldOut.close();
    root.close();
  }

  private static NegativeCells of(CellField weights) {
    return NegativeCells.of(weights, "bpr");
  }

  @Test
  void plainConfidencesLeaveAllCells() {
    assertEquals(
        new NegativeCells(List.of(), Optional.empty()),
        of(CellField.observed(positives, 1, 0.01f)));
  }

  @Test
  void heldOutCellsAreSeenInReweightedConfidences() {
    CellField confidence =
        CellField.product(
            CellField.observed(positives, 1, 0.01f), MASK, CellField.observed(heldOut, 0, 1));
    CellField reweighted =
        CellField.product(
            confidence, new Apply(new Posterior(10, 1, 11), List.of(CellField.constant(0.5f))));
    NegativeCells expected = new NegativeCells(List.of(heldOut.lent()), Optional.of(MASK));
    assertEquals(expected, of(reweighted));
    assertEquals(expected, of(CellField.product(reweighted, MASK)));
    assertEquals(expected, of(new Linear(List.of(new Linear.Term(0.5f, reweighted)))));
  }

  @Test
  void weightsOnPositivesAloneAreRefused() {
    PecfException problem =
        assertThrows(PecfException.class, () -> of(CellField.observed(positives, 1, 0)));
    assertEquals(ErrorCode.BAD_OPTION, problem.code());
    assertTrue(problem.getMessage().contains("1:0.01"), problem.getMessage());
  }

  @Test
  void twoPartsAreRefused() {
    PecfException problem =
        assertThrows(
            PecfException.class,
            () -> of(CellField.product(MASK, new CellPartition(2, 1, 1, 0).mask(Part.TRAINING))));
    assertEquals(ErrorCode.BAD_OPTION, problem.code());
  }
}
