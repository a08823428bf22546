package org.pecf.plugin.backend.cpu.field;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Linear;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.run.Parallelism;
import org.pecf.backend.algebra.Ejml;
import org.pecf.backend.algebra.Worker;
import org.pecf.testkit.fixture.DirectParallelism;
import org.pecf.testkit.fixture.TestGrids;

class ScoreStoreTest {
  private static final GridShape SHAPE = new GridShape(130, 1030);
  private static final long WHOLE = SHAPE.cells() * Float.BYTES;

  private final BufferAllocator root = new RootAllocator();
  private FactorModel first;
  private FactorModel second;
  private Worker[] workers;

  @BeforeEach
  void open() {
    first = TestGrids.randomModel(root, SHAPE, 3, 1);
    second = TestGrids.randomModel(root, SHAPE, 2, 2);
    workers = Worker.crew(root, new Ejml(), 1);
  }

  @AfterEach
  void close() {
    first.close();
    second.close();
    workers[0].close();
    root.close();
  }

  private ScoreStore store(BufferAllocator allocator, Parallelism parallelism) {
    return new ScoreStore(SHAPE, allocator, parallelism, workers);
  }

  private CellField combination(float ofFirst, float ofSecond) {
    return new Linear(
        List.of(
            new Linear.Term(ofFirst, CellField.score(first)),
            new Linear.Term(ofSecond, CellField.score(second))));
  }

  private float ask(ScoreStore store, CellField field, int user, int item) {
    try (FloatMatrix cell = FloatMatrix.allocate(root, 1, 1)) {
      new CpuFieldKernels(
              SHAPE,
              store,
              new ScoreProducts(new DirectParallelism(), workers),
              new DirectParallelism(),
              workers)
          .fill(field, user, item, cell);
      return cell.get(0, 0);
    }
  }

  /** Models must not change while scores are kept: here they do, which shows what is kept. */
  private void overwrite(FactorModel model) {
    model.users().writeRows(0, SHAPE.users(), new float[SHAPE.users() * model.rank()]);
  }

  @Test
  void answersFromMemory() {
    CellField both = combination(0.5f, 0.25f);
    float score = both.valueAt(129, 1029);
    try (ScoreStore store = store(root, new DirectParallelism())) {
      store.keep(both);
      overwrite(first);
      overwrite(second);
      assertEquals(score, ask(store, both, 129, 1029), 1e-6);
      assertEquals(-score, ask(store, combination(-0.5f, -0.25f), 129, 1029), 1e-6);
      assertEquals(0, ask(store, combination(0.5f, 0.5f), 129, 1029));
    }
  }

  @Test
  void goesOnFromWhatItKeepsWithoutLookingAtOldModels() {
    CellField longer = combination(0.5f, 0.25f);
    float score = longer.valueAt(7, 1027);
    try (ScoreStore store = store(root, new DirectParallelism())) {
      store.keep(CellField.score(first));
      overwrite(first);
      store.keep(longer);
      assertEquals(score, ask(store, longer, 7, 1027), 1e-6);
    }
  }

  @Test
  void startsAnewWhereProportionsDiffer() {
    CellField other = combination(0.5f, 0.3f);
    float score = other.valueAt(3, 4);
    try (ScoreStore store = store(root, new DirectParallelism())) {
      store.keep(combination(0.5f, 0.25f));
      store.keep(other);
      assertEquals(score, ask(store, other, 3, 4), 1e-6);
    }
  }

  @Test
  void keepsNothingWhereMemoryIsShort() {
    try (BufferAllocator little = root.newChildAllocator("little", 0, 4 * WHOLE - 1);
        ScoreStore store = store(little, new DirectParallelism())) {
      CellField both = combination(0.5f, 0.25f);
      store.keep(both);
      assertEquals(0, little.getAllocatedMemory());
      assertEquals(both.valueAt(3, 4), ask(store, both, 3, 4), 1e-6);
    }
  }

  @Test
  void forgetsWhatItCouldNotFinish() {
    CellField one = CellField.score(first);
    CellField both = combination(0.5f, 0.25f);
    Parallelism failing =
        new Parallelism() {
          private int calls;

          @Override
          public int threads() {
            return 1;
          }

          @Override
          public void forEach(int count, Task task) {
            if (++calls == 2) {
              task.run(0, 0);
              throw new IllegalStateException("interrupted");
            }
            new DirectParallelism().forEach(count, task);
          }
        };
    try (ScoreStore store = store(root, failing)) {
      store.keep(one);
      assertThrows(IllegalStateException.class, () -> store.keep(both));
      assertEquals(one.valueAt(3, 4), ask(store, one, 3, 4), 1e-6);
      assertEquals(both.valueAt(3, 4), ask(store, both, 3, 4), 1e-6);
      store.keep(both);
      assertEquals(both.valueAt(3, 4), ask(store, both, 3, 4), 1e-6);
    }
  }
}
