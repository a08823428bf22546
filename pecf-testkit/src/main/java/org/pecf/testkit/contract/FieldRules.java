package org.pecf.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.testkit.contract.Grid.NamedField;
import org.pecf.testkit.fixture.TestGrids;

/** The rules for evaluating cell fields: by tiles, at listed cells, and in sums. */
final class FieldRules {
  private final BackendSessions sessions;
  private final BufferAllocator allocator;

  FieldRules(BackendSessions sessions) {
    this.sessions = sessions;
    this.allocator = sessions.allocator();
  }

  void fillsTilesByDefinition() {
    for (int[] size : BackendSessions.SIZES) {
      try (Grid grid = sessions.grid(size)) {
        GridShape shape = grid.shape();
        List<int[]> tiles =
            List.of(
                new int[] {0, 0, shape.users(), shape.items()},
                new int[] {shape.users() / 2, shape.items() / 3, 1, shape.items() / 2 + 1},
                new int[] {shape.users() - 1, shape.items() - 1, 1, 1});
        sessions.use(
            shape,
            SessionSetup.DENSE,
            session -> {
              for (NamedField named : grid.fields()) {
                for (int[] tile : tiles) {
                  assertFilled(session, named, tile);
                }
              }
            });
      }
    }
  }

  void assertFilled(ComputeSession session, NamedField named, int[] tile) {
    try (FloatMatrix values = FloatMatrix.allocate(allocator, tile[2], tile[3])) {
      session.fields().fill(named.field(), tile[0], tile[1], values);
      for (int row = 0; row < tile[2]; row++) {
        for (int column = 0; column < tile[3]; column++) {
          assertValue(named, tile[0] + row, tile[1] + column, values.get(row, column));
        }
      }
    }
  }

  void gathersByDefinition() {
    for (int[] size : BackendSessions.SIZES) {
      try (Grid grid = sessions.grid(size);
          SparseCells nowhere = TestGrids.cellsWhere(allocator, grid.shape(), (u, i) -> false);
          SparseCells everywhere = TestGrids.cellsWhere(allocator, grid.shape(), (u, i) -> true)) {
        sessions.use(
            grid.shape(),
            SessionSetup.DENSE,
            session -> {
              for (NamedField named : grid.fields()) {
                for (SparseCells cells : List.of(grid.others(), nowhere, everywhere)) {
                  assertGathered(session, named, cells);
                }
              }
            });
      }
    }
  }

  void assertGathered(ComputeSession session, NamedField named, SparseCells cells) {
    try (ArrowBuf values = allocator.buffer(Math.max(1, (long) cells.count() * Float.BYTES))) {
      session.fields().gather(named.field(), cells, values);
      for (int user = 0; user < cells.users(); user++) {
        for (int k = cells.userStart(user); k < cells.userStart(user + 1); k++) {
          assertValue(named, user, cells.itemAt(k), values.getFloat((long) k * Float.BYTES));
        }
      }
    }
  }

  private void assertValue(NamedField named, int user, int item, float value) {
    float expected = named.field().valueAt(user, item);
    assertEquals(
        expected,
        value,
        sessions.valueTolerance() * Math.max(1, Math.abs(expected)),
        () -> named.name() + " at user " + user + ", item " + item);
  }

  void sumsByDefinition() {
    for (int[] size : BackendSessions.SIZES) {
      try (Grid grid = sessions.grid(size)) {
        sessions.use(
            grid.shape(),
            SessionSetup.DENSE,
            session -> {
              List<NamedField> fields = grid.fields();
              double[] sums =
                  session.fields().sums(fields.stream().map(NamedField::field).toList());
              assertEquals(fields.size(), sums.length);
              for (int k = 0; k < sums.length; k++) {
                assertSum(fields.get(k), grid.shape(), sums[k]);
              }
              NamedField alone = new NamedField("error alone", grid.error());
              assertSum(alone, grid.shape(), session.fields().sums(List.of(alone.field()))[0]);
              assertEquals(0, session.fields().sums(List.of()).length);
            });
      }
    }
  }

  void assertSum(NamedField named, GridShape shape, double actual) {
    double sum = 0;
    double absolute = 0;
    for (int user = 0; user < shape.users(); user++) {
      for (int item = 0; item < shape.items(); item++) {
        double value = named.field().valueAt(user, item);
        sum += value;
        absolute += Math.abs(value);
      }
    }
    assertEquals(
        sum,
        actual,
        sessions.sumTolerance() * absolute,
        () -> named.name() + " summed over " + shape);
  }
}
