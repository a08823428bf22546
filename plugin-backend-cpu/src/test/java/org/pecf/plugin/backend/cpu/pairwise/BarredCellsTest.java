package org.pecf.plugin.backend.cpu.pairwise;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.compute.PairwiseMode;
import org.pecf.api.compute.PairwisePenalties;
import org.pecf.api.compute.PairwiseRequest;
import org.pecf.api.data.Part;
import org.pecf.api.field.CellPartition;
import org.pecf.api.field.PartMask;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Seed;
import org.pecf.testkit.fixture.TestGrids;

class BarredCellsTest {
  private final RootAllocator root = new RootAllocator();

  @AfterEach
  void closeMemory() {
    root.close();
  }

  /** Rows of 0 to 300 cells, so that tables of all sizes are met. */
  @Test
  void tellsEveryCell() {
    GridShape shape = new GridShape(31, 300);
    try (SparseCells positives =
            TestGrids.cellsWhere(root, shape, (u, i) -> (i * 7919 + u * 31) % 300 < 10 * u);
        SparseCells excluded = TestGrids.randomCells(root, shape, 0.1, 1)) {
      CellPartition partition = new CellPartition(5, 1, 2, 1);
      for (List<SparseCells> sets : List.of(List.<SparseCells>of(), List.of(excluded))) {
        assertTold(shape, positives, sets, Optional.empty());
        for (Part part : Part.values()) {
          assertTold(shape, positives, sets, Optional.of(partition.mask(part)));
        }
      }
    }
  }

  private static void assertTold(
      GridShape shape, SparseCells positives, List<SparseCells> sets, Optional<PartMask> mask) {
    BarredCells barred =
        BarredCells.of(
            new PairwiseRequest(
                positives,
                Optional.empty(),
                sets,
                mask,
                0,
                new PairwisePenalties(0, 0, 0),
                false,
                PairwiseMode.DETERMINISTIC,
                new Seed(1)));
    for (int user = 0; user < shape.users(); user++) {
      for (int item = 0; item < shape.items(); item++) {
        boolean expected = positives.contains(user, item);
        for (SparseCells set : sets) {
          expected |= set.contains(user, item);
        }
        expected |= mask.isPresent() && mask.get().valueAt(user, item) == 0;
        assertEquals(expected, barred.contains(user, item), "user " + user + ", item " + item);
      }
    }
  }
}
