package org.pecf.testkit.contract;

import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.Ridge;
import org.pecf.api.data.Part;
import org.pecf.api.field.Apply;
import org.pecf.api.field.CellField;
import org.pecf.api.field.CellFunction;
import org.pecf.api.field.CellPartition;
import org.pecf.api.field.HostField;
import org.pecf.api.field.ItemWeights;
import org.pecf.api.field.Linear;
import org.pecf.api.field.Mixture;
import org.pecf.api.field.MixtureLogDensity;
import org.pecf.api.field.PartMask;
import org.pecf.api.field.Posterior;
import org.pecf.api.field.Product;
import org.pecf.api.field.Responsibility;
import org.pecf.api.field.Separable;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.SparseCells;
import org.pecf.testkit.fixture.TestGrids;

/**
 * The random data of one backend test, and every kind of field over it.
 *
 * @param shape the grid
 * @param positives about an eighth of the cells
 * @param others about a twentieth of the cells
 * @param first a model
 * @param second a model of another rank
 */
record Grid(
    GridShape shape,
    SparseCells positives,
    SparseCells others,
    FactorModel first,
    FactorModel second)
    implements AutoCloseable {
  static final CellPartition PARTITION = new CellPartition(77, 3, 1, 1);
  static final PartMask MASK = PARTITION.mask(Part.TRAINING);

  private static final Mixture MIXTURE = new Mixture(List.of(0.6, 0.3, 0.1), 0.4);

  /** A function the backends have never heard of, of two arguments. */
  record Blend(float share) implements CellFunction {
    @Override
    public float value(float[] arguments) {
      return Math.abs(share * arguments[0] + (1 - share) * arguments[1] * arguments[1]);
    }
  }

  /** A field that only the host can compute; positive. */
  record Waves(float frequency) implements HostField {
    @Override
    public float valueAt(int user, int item) {
      return 1.5f + (float) Math.sin(frequency * user + 0.3 * item);
    }
  }

  static Grid of(BufferAllocator allocator, int users, int items, long seed) {
    GridShape shape = new GridShape(users, items);
    return new Grid(
        shape,
        TestGrids.randomCells(allocator, shape, 0.125, seed),
        TestGrids.randomCells(allocator, shape, 0.05, seed + 1),
        TestGrids.randomModel(allocator, shape, 3, seed),
        TestGrids.randomModel(allocator, shape, 5, seed + 1));
  }

  CellField ratings() {
    return CellField.observed(positives, 1, 0);
  }

  CellField confidence() {
    return CellField.observed(positives, 1, 0.01f);
  }

  /** Return weights under which zeros of popular items weigh more. */
  CellField popularity() {
    CellField zeros =
        CellField.product(
            CellField.observed(positives, 0, 0.02f), ItemWeights.ofPopularity(positives, 0.6));
    return new Linear(
        List.of(
            new Linear.Term(1, CellField.observed(positives, 1, 0)), new Linear.Term(1, zeros)));
  }

  /** Return a part of the grid with soft edges, some rows outside it. */
  Separable locality() {
    float[] users = new float[shape().users()];
    float[] items = new float[shape().items()];
    for (int user = 0; user < users.length; user++) {
      users[user] = Math.max(0, (float) Math.sin(0.7 * user));
    }
    for (int item = 0; item < items.length; item++) {
      items[item] = Math.max(0, (float) Math.cos(0.4 * item));
    }
    return new Separable(users, items);
  }

  /** An ensemble's prediction of small scores, so that most zeros are easy. */
  CellField prediction() {
    return new Linear(
        List.of(
            new Linear.Term(0.2f, CellField.score(first)),
            new Linear.Term(0.1f, CellField.score(second))));
  }

  CellField error() {
    return CellField.difference(ratings(), prediction());
  }

  CellField posterior() {
    return new Apply(new Posterior(10, 1, 11), List.of(error()));
  }

  /** Return scores of a factor model and of a model that only the host can score. */
  CellField mixedPrediction() {
    return new Linear(
        List.of(
            new Linear.Term(0.6f, CellField.score(first)),
            new Linear.Term(0.4f, CellField.score(new WaveModel(shape())))));
  }

  /** A model without factors. */
  private record WaveModel(GridShape shape) implements ScoreModel {
    @Override
    public float scoreAt(int user, int item) {
      return (float) Math.sin(0.37 * user + 1.3 * item + 0.11 * user * item);
    }

    @Override
    public ScoreModel transferTo(BufferAllocator target) {
      return this;
    }

    @Override
    public void close() {}
  }

  /** Return the errors of three components of a mixture. */
  private List<CellField> errors() {
    return List.of(
        error(),
        CellField.difference(ratings(), CellField.score(first)),
        CellField.difference(ratings(), CellField.constant(0.2f)));
  }

  List<NamedField> fields() {
    CellField score = CellField.score(first);
    return List.of(
        new NamedField("constant", CellField.constant(0.75f)),
        new NamedField("zero", CellField.constant(0)),
        new NamedField("observed", CellField.observed(positives, 1, -0.25f)),
        new NamedField("part mask", MASK),
        new NamedField("another part", PARTITION.mask(Part.TEST)),
        new NamedField("weights of items", ItemWeights.ofPopularity(positives, 0.6)),
        new NamedField("zeros weighed by popularity", popularity()),
        new NamedField("part of the grid", locality()),
        new NamedField("score", score),
        new NamedField("combination of scores", prediction()),
        new NamedField("residual", error()),
        new NamedField("empty combination", new Linear(List.of())),
        new NamedField("empty product", new Product(List.of())),
        new NamedField("product", CellField.product(confidence(), MASK, score)),
        new NamedField("square", CellField.square(error())),
        new NamedField(
            "two sets", CellField.product(confidence(), CellField.observed(others, 0, 1))),
        new NamedField("posterior", posterior()),
        new NamedField(
            "combination of functions",
            new Linear(
                List.of(new Linear.Term(2, posterior()), new Linear.Term(-1, confidence())))),
        new NamedField("responsibility", new Apply(new Responsibility(1, MIXTURE), errors())),
        new NamedField("mixture density", new Apply(new MixtureLogDensity(MIXTURE), errors())),
        new NamedField("own function", new Apply(new Blend(0.3f), List.of(score, error()))),
        new NamedField(
            "function of a function",
            new Apply(new Blend(0.6f), List.of(posterior(), CellField.product(score, MASK)))),
        new NamedField("model of the host", CellField.score(new WaveModel(shape()))),
        new NamedField("combination with a model of the host", mixedPrediction()),
        new NamedField("host field", new Waves(0.7f)),
        new NamedField(
            "function of a host field",
            new Apply(new Blend(0.5f), List.of(new Waves(0.2f), score))),
        new NamedField("product with a host field", CellField.product(new Waves(0.4f), error())));
  }

  /** Weights and targets of every kind, by names that describe them. */
  List<NamedProblem> problems(int rank) {
    Ridge ridge = new Ridge(0.3, 0.5, 0);
    CellField residual = error();
    CellField reweighted = CellField.product(confidence(), posterior());
    return List.of(
        problem("plain confidences", confidence(), ratings(), rank, ridge),
        problem("uniform weights", CellField.constant(0.4f), ratings(), rank, ridge),
        problem("weights on positives alone", ratings(), ratings(), rank, ridge),
        problem("posterior weights", reweighted, ratings(), rank, ridge),
        problem("held-out cells", CellField.product(MASK, confidence()), ratings(), rank, ridge),
        problem(
            "posterior weights and held-out cells",
            CellField.product(MASK, reweighted),
            ratings(),
            rank,
            ridge),
        problem(
            "held-out positives",
            CellField.product(confidence(), CellField.observed(others, 0, 1)),
            ratings(),
            rank,
            ridge),
        problem("residual targets", confidence(), residual, rank, ridge),
        problem("posterior weights and residual targets", reweighted, residual, rank, ridge),
        problem("score targets", CellField.constant(0.2f), prediction(), rank, ridge),
        problem("constant targets", confidence(), CellField.constant(0.5f), rank, ridge),
        problem("function targets", confidence(), posterior(), rank, ridge),
        problem(
            "weights by an own function",
            new Apply(new Blend(0.3f), List.of(confidence(), error())),
            ratings(),
            rank,
            ridge),
        problem("host weights", new Waves(0.7f), ratings(), rank, ridge),
        problem("host targets", confidence(), new Waves(0.7f), rank, ridge),
        problem("zeros weighed by popularity", popularity(), ratings(), rank, ridge),
        problem("popularity and residual targets", popularity(), residual, rank, ridge),
        problem(
            "popularity, posterior weights and penalties by row weight",
            CellField.product(popularity(), posterior()),
            ratings(),
            rank,
            new Ridge(0.3, 0.5, 1)),
        problem(
            "weights of a part of the grid",
            CellField.product(confidence(), locality()),
            ratings(),
            rank,
            ridge),
        problem(
            "a part of the grid and residual targets",
            CellField.product(confidence(), locality()),
            residual,
            rank,
            ridge),
        problem(
            "a part of the grid, popularity, posterior weights and penalties by row weight",
            CellField.product(CellField.product(popularity(), posterior()), locality()),
            ratings(),
            rank,
            new Ridge(0.3, 0.5, 1)),
        problem("penalties by row weight", reweighted, ratings(), rank, new Ridge(0.3, 0.5, 1)),
        problem(
            "penalties by the root of row weight",
            confidence(),
            residual,
            rank,
            new Ridge(0.5, 0.2, 0.5)));
  }

  /** A least-squares problem with a name. */
  record NamedProblem(String name, LeastSquaresRequest request) {}

  private static NamedProblem problem(
      String name, CellField weights, CellField targets, int rank, Ridge ridge) {
    return new NamedProblem(name, new LeastSquaresRequest(weights, targets, rank, ridge));
  }

  /** The problem of a progressive round: posterior weights, ratings as targets. */
  LeastSquaresRequest reweighted(int rank) {
    return problem(rank, "posterior weights");
  }

  /** The problem with most to it: posterior weights, residuals as targets. */
  LeastSquaresRequest reweightedResiduals(int rank) {
    return problem(rank, "posterior weights and residual targets");
  }

  private LeastSquaresRequest problem(int rank, String name) {
    return problems(rank).stream()
        .filter(problem -> problem.name().equals(name))
        .findFirst()
        .orElseThrow()
        .request();
  }

  @Override
  public void close() {
    positives.close();
    others.close();
    first.close();
    second.close();
  }

  /** A field with a name for messages. */
  record NamedField(String name, CellField field) {}
}
