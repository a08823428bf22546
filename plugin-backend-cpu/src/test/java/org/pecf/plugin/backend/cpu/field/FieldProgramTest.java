package org.pecf.plugin.backend.cpu.field;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.data.Part;
import org.pecf.api.field.Apply;
import org.pecf.api.field.CellField;
import org.pecf.api.field.CellFunction;
import org.pecf.api.field.CellPartition;
import org.pecf.api.field.Posterior;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.backend.algebra.Ejml;
import org.pecf.backend.algebra.Worker;
import org.pecf.backend.field.Window;
import org.pecf.testkit.fixture.TestGrids;

class FieldProgramTest {
  private static final GridShape SHAPE = new GridShape(5, 1500);

  private final BufferAllocator root = new RootAllocator();
  private FactorModel first;
  private FactorModel second;
  private SparseCells observed;
  private Worker worker;

  @BeforeEach
  void open() {
    first = TestGrids.randomModel(root, SHAPE, 3, 1);
    second = TestGrids.randomModel(root, SHAPE, 2, 2);
    observed = TestGrids.randomCells(root, SHAPE, 0.05, 3);
    worker = Worker.crew(root, new Ejml(), 1)[0];
  }

  @AfterEach
  void close() {
    first.close();
    second.close();
    observed.close();
    worker.close();
    root.close();
  }

  @Test
  void evaluatesFormulasWithCommonPartsByDefinition() {
    CellField ratings = CellField.observed(observed, 1, 0);
    CellField f = CellField.score(first);
    CellField residual = CellField.difference(ratings, f);
    CellField direction = CellField.difference(CellField.score(second), f);
    CellField confidence =
        CellField.product(
            CellField.observed(observed, 1, 0.1f),
            new CellPartition(7, 3, 1, 1).mask(Part.TRAINING));
    CellField posterior = new Apply(new Posterior(10, 0.7f, 2), List.of(residual));
    List<CellField> fields =
        List.of(
            CellField.product(confidence, residual, direction),
            CellField.product(confidence, direction, direction),
            CellField.product(posterior, confidence, CellField.product(residual, posterior)),
            direction,
            CellField.square(confidence));
    try (FieldProgram program = FieldProgram.of(fields)) {
      float[] values = new float[TileEvaluator.ITEMS];
      TileEvaluator.visit(
          program,
          worker,
          new Window(0, SHAPE.users(), 0, SHAPE.items()),
          (cells, firstItem) -> {
            for (int k = 0; k < fields.size(); k++) {
              program.evaluate(k, cells, values);
              for (int p = 0; p < cells.count(); p++) {
                float expected = fields.get(k).valueAt(cells.user(), firstItem + p);
                assertEquals(expected, values[p], 1e-5 * (1 + Math.abs(expected)), "field " + k);
              }
            }
          });
    }
  }

  @Test
  void evaluatesCommonPartsOnce() {
    AtomicInteger calls = new AtomicInteger();
    CellFunction counted =
        arguments -> {
          calls.incrementAndGet();
          return 2 * arguments[0];
        };
    CellField costly = new Apply(counted, List.of(CellField.score(first)));
    List<CellField> fields =
        List.of(CellField.product(costly, costly), CellField.difference(costly, costly));
    try (FieldProgram program = FieldProgram.of(fields)) {
      CellRun run = program.run(worker);
      int[] items = {3, 9, 27};
      program.moveTo(run, 2, items, items.length);
      float[] values = new float[items.length];
      program.evaluate(0, run, values);
      assertEquals(fields.get(0).valueAt(2, 9), values[1], 1e-6);
      program.evaluate(1, run, values);
      assertEquals(0, values[1]);
      assertEquals(items.length + 2, calls.get(), "three cells, and two by definition");
      program.moveTo(run, 3, items, items.length);
      program.evaluate(0, run, values);
      assertEquals(fields.get(0).valueAt(3, 27), values[2], 1e-6);
    }
  }
}
