package org.pecf.plugin.backend.cpu.field;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Constant;
import org.pecf.api.field.Linear;
import org.pecf.api.field.Observed;
import org.pecf.api.field.Product;
import org.pecf.api.field.Score;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.backend.algebra.Ejml;
import org.pecf.backend.algebra.Worker;
import org.pecf.backend.field.QuadraticField;
import org.pecf.backend.field.UnobservedRewrite;
import org.pecf.testkit.fixture.DirectParallelism;
import org.pecf.testkit.fixture.TestGrids;

/** Sums over all cells that factors give, against a pass over the cells in double precision. */
class QuadraticSumsTest {
  /** More than one group of rows on both sides. */
  private static final GridShape SHAPE = new GridShape(700, 1030);

  private final BufferAllocator root = new RootAllocator();
  private final List<FactorModel> models = new ArrayList<>();
  private SparseCells positives;
  private Worker[] workers;
  private ScoreProducts products;

  @BeforeEach
  void open() {
    for (int k = 0; k < 3; k++) {
      models.add(TestGrids.randomModel(root, SHAPE, 3 + k, 1 + k));
    }
    positives = TestGrids.cellsWhere(root, SHAPE, (user, item) -> (user * 7 + item * 13) % 31 == 0);
    workers = Worker.crew(root, new Ejml(), 1);
    products = new ScoreProducts(new DirectParallelism(), workers);
  }

  @AfterEach
  void close() {
    models.forEach(FactorModel::close);
    positives.close();
    workers[0].close();
    root.close();
  }

  private double sum(CellField field) {
    try (ScoreStore store = new ScoreStore(SHAPE, root, new DirectParallelism(), workers)) {
      return new CpuFieldKernels(SHAPE, store, products, new DirectParallelism(), workers)
          .sums(List.of(field))[0];
    }
  }

  private CellField prediction(float ofFirst, float ofSecond) {
    return new Linear(
        List.of(
            new Linear.Term(ofFirst, CellField.score(models.get(0))),
            new Linear.Term(ofSecond, CellField.score(models.get(1)))));
  }

  private CellField ratings() {
    return CellField.observed(positives, 1, 0);
  }

  private CellField confidence() {
    return CellField.observed(positives, 1, 0.01f);
  }

  /** Return the value of a cell in double precision. */
  private static double value(CellField field, int user, int item) {
    if (field instanceof Constant || field instanceof Observed) {
      return field.valueAt(user, item);
    }
    if (field instanceof Score score) {
      double sum = 0;
      for (int k = 0; k < score.model().rank(); k++) {
        sum += (double) score.model().users().get(user, k) * score.model().items().get(item, k);
      }
      return sum;
    }
    if (field instanceof Linear linear) {
      return linear.terms().stream()
          .mapToDouble(term -> term.coefficient() * value(term.field(), user, item))
          .sum();
    }
    return ((Product) field)
        .factors().stream().mapToDouble(part -> value(part, user, item)).reduce(1, (a, b) -> a * b);
  }

  private static void assertSum(CellField field, double found, double tolerance) {
    double sum = 0;
    double size = 0;
    for (int user = 0; user < SHAPE.users(); user++) {
      for (int item = 0; item < SHAPE.items(); item++) {
        double value = value(field, user, item);
        sum += value;
        size += Math.abs(value);
      }
    }
    assertEquals(sum, found, tolerance * size, field.toString());
  }

  private static QuadraticField.Sum fromFactors(CellField field, ScoreProducts products) {
    return QuadraticField.of(new UnobservedRewrite().of(field)).orElseThrow().sum(SHAPE, products);
  }

  private CellField direction() {
    return CellField.difference(CellField.score(models.get(2)), prediction(0.6f, 0.4f));
  }

  /** The two sums of a line search, and simpler ones, need no pass over the cells. */
  @Test
  void polynomialsOfScoresAreSummedFromFactors() {
    CellField residual = CellField.difference(ratings(), prediction(0.6f, 0.4f));
    CellField shifted =
        new Linear(
            List.of(
                new Linear.Term(1, CellField.constant(0.3f)),
                new Linear.Term(2, CellField.score(models.get(1)))));
    List<CellField> fields =
        List.of(
            CellField.product(confidence(), residual, direction()),
            CellField.product(confidence(), direction(), direction()),
            CellField.product(shifted, shifted),
            CellField.product(shifted, CellField.constant(3), direction()),
            CellField.product(confidence(), ratings()),
            CellField.score(models.get(0)),
            residual,
            CellField.constant(2));
    for (CellField field : fields) {
      assertTrue(
          QuadraticField.of(new UnobservedRewrite().of(field)).orElseThrow().isQuickFrom(SHAPE));
      assertSum(field, sum(field), 2e-7);
    }
  }

  /** Where terms cancel, their rounding would remain: cells are visited instead. */
  @Test
  void cancellingTermsAreSummedCellByCell() {
    FactorModel twin = TestGrids.randomModel(root, SHAPE, 3, 1);
    models.add(twin);
    float[] row = new float[3];
    for (int user = 0; user < SHAPE.users(); user += 3) {
      twin.users().readRow(user, row);
      row[1] += 0.002f;
      twin.users().writeRows(user, 1, row);
    }
    CellField difference =
        CellField.difference(CellField.score(twin), CellField.score(models.get(0)));
    CellField squares = CellField.product(confidence(), difference, difference);
    assertFalse(fromFactors(squares, products).isExact());
    assertSum(squares, sum(squares), 1e-4);
  }

  /** Cubes of scores, and any other field, take a pass over the cells. */
  @Test
  void otherFieldsAreSummedCellByCell() {
    CellField cube = CellField.product(direction(), direction(), direction());
    assertTrue(QuadraticField.of(cube).isEmpty());
    assertSum(cube, sum(cube), 1e-6);
    CellField sumOfSquares = new Linear(List.of(new Linear.Term(2, CellField.square(direction()))));
    assertTrue(QuadraticField.of(sumOfSquares).isEmpty());
    assertSum(sumOfSquares, sum(sumOfSquares), 1e-6);
  }

  /** A model of as many factors as the grid has rows is no shorter than its scores. */
  @Test
  void manyFactorsAreSummedCellByCell() {
    GridShape small = new GridShape(5, 4);
    assertFalse(QuadraticField.of(direction()).orElseThrow().isQuickFrom(small));
  }

  /** Models must not change while they are kept: here one does, which shows what is remembered. */
  @Test
  void productsOfKeptModelsAreRemembered() {
    CellField kept = CellField.square(prediction(0.6f, 0.4f));
    CellField other = CellField.square(CellField.score(models.get(2)));
    products.keep(prediction(0.5f, 0.5f));
    double before = sum(kept);
    double otherBefore = sum(other);
    for (FactorModel model : models) {
      model.items().writeRows(0, 1, new float[model.rank()]);
    }
    assertEquals(before, sum(kept));
    assertNotEquals(otherBefore, sum(other));
    products.keep(CellField.score(models.get(2)));
    assertNotEquals(before, sum(kept));
    assertSum(kept, sum(kept), 2e-7);
  }
}
