package org.pecf.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.apache.arrow.memory.RootAllocator;
import org.apiguardian.api.API;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.Ridge;
import org.pecf.api.data.Part;
import org.pecf.api.ensemble.EnsembleState;
import org.pecf.api.ensemble.WeightingScheme;
import org.pecf.api.ensemble.WeightingSchemeProvider;
import org.pecf.api.field.Apply;
import org.pecf.api.field.CellField;
import org.pecf.api.field.CellFunction;
import org.pecf.api.field.Linear;
import org.pecf.api.field.Observed;
import org.pecf.api.field.Product;
import org.pecf.api.field.ValueRange;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.testkit.fixture.Buffers;
import org.pecf.testkit.fixture.TestGrids;
import org.pecf.testkit.reference.ReferenceComputeSession;

/** The contract of a weighting scheme: extend this class and supply the provider. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public abstract class WeightingSchemeContract extends ProviderContract {
  private final RootAllocator root = new RootAllocator();

  /** For subclasses. */
  protected WeightingSchemeContract() {}

  @Override
  protected abstract WeightingSchemeProvider<?> provider();

  /** Close the memory of the test; a leak fails it. */
  @AfterEach
  void closeMemory() {
    root.close();
  }

  /** No weight is negative or not a number. */
  @Test
  public void weighsNoCellNegatively() {
    with(
        1,
        (state, session) ->
            assertEveryWeight(
                state, session, (weight, confidence) -> weight >= 0, "negative or not a number"));
  }

  /** Cells of confidence zero have weight zero. */
  @Test
  public void keepsHeldOutCellsOut() {
    with(
        1,
        (state, session) ->
            assertEveryWeight(
                state,
                session,
                (weight, confidence) -> confidence > 0 || weight == 0,
                "on a cell of confidence zero"));
  }

  /** Ratings of cells of confidence zero change no weight of others. */
  @Test
  public void weighsByTrainingCellsAlone() {
    try (SparseCells others = TestGrids.randomCells(root, SHAPE, 0.3, 35)) {
      with(
          1,
          (state, session) -> {
            CellField heldOut =
                CellField.product(CellField.observed(others, 1, 0), Grid.PARTITION.mask(Part.TEST));
            CellField ratings =
                new Linear(
                    List.of(new Linear.Term(1, state.ratings()), new Linear.Term(1, heldOut)));
            CellField once = weights(state, session);
            CellField other =
                weights(
                    new EnsembleState(
                        state.members(),
                        state.shape(),
                        state.positives(),
                        state.confidence(),
                        ratings,
                        state.prediction()),
                    session);
            forEachCell(
                (user, item) -> {
                  if (state.confidence().valueAt(user, item) > 0) {
                    float weight = once.valueAt(user, item);
                    assertEquals(
                        weight,
                        other.valueAt(user, item),
                        1e-6 * Math.abs(weight),
                        "ratings of held-out cells changed the weight of user "
                            + user
                            + ", item "
                            + item);
                  }
                });
          });
    }
  }

  /**
   * Weights name no cells but those that the ensemble's fields name. On the corrected path named
   * cells are exact and others count by expectation, so that a name tells a filter something.
   */
  @Test
  public void namesNoCellsOfItsOwn() {
    with(
        1,
        (state, session) -> {
          List<CellField> given = new ArrayList<>();
          for (CellField field :
              List.of(state.confidence(), state.ratings(), state.prediction(), state.error())) {
            collectAll(field, given);
          }
          List<CellField> used = new ArrayList<>();
          collectAll(weights(state, session), used);
          for (CellField field : used) {
            if (field instanceof Observed observed) {
              assertTrue(
                  given.stream()
                      .anyMatch(
                          known ->
                              known instanceof Observed other && other.cells() == observed.cells()),
                  () -> "weights name " + observed.cells().count() + " cells of their own");
            }
          }
        });
  }

  /** There is something left to train on. */
  @Test
  public void keepsSomeWeight() {
    with(
        1,
        (state, session) ->
            assertTrue(
                session.fields().sums(List.of(weights(state, session)))[0] > 0,
                "all weights are zero"));
  }

  /** The same ensemble gives the same weights. */
  @Test
  public void weighsAlikeEveryTime() {
    with(
        1,
        (state, session) -> {
          CellField once = weights(state, session);
          CellField again = scheme().weights(state, session.fields());
          forEachCell(
              (user, item) ->
                  assertEquals(
                      once.valueAt(user, item),
                      again.valueAt(user, item),
                      "at user " + user + ", item " + item));
        });
  }

  /** Predictions of zero and of any size give finite weights. */
  @Test
  public void staysFiniteForExtremePredictions() {
    for (float scale : new float[] {0, 1e-30f, 100, 1e10f}) {
      with(
          scale,
          (state, session) ->
              assertEveryWeight(
                  state,
                  session,
                  (weight, confidence) -> Float.isFinite(weight) && weight >= 0,
                  "where predictions are multiplied by " + scale));
    }
  }

  /** Functions in the weights survive serialisation: a backend may be in another process. */
  @Test
  public void givesFunctionsThatCanBeSentElsewhere() {
    with(
        1,
        (state, session) -> {
          List<Apply> applications = new ArrayList<>();
          collect(weights(state, session), applications);
          for (Apply apply : applications) {
            CellFunction arrived = sent(apply.function());
            float[] arguments = new float[apply.arguments().size()];
            for (float argument : new float[] {-2, -0.5f, 0, 0.25f, 1, 3}) {
              Arrays.fill(arguments, argument);
              assertEquals(
                  apply.function().value(arguments),
                  arrived.value(arguments),
                  apply.function() + " has changed on the way");
            }
          }
        });
  }

  private static void collect(CellField field, List<Apply> found) {
    List<CellField> all = new ArrayList<>();
    collectAll(field, all);
    all.stream().filter(Apply.class::isInstance).map(Apply.class::cast).forEach(found::add);
  }

  /** Collect a field and all that it is made of. */
  private static void collectAll(CellField field, List<CellField> found) {
    found.add(field);
    if (field instanceof Apply apply) {
      apply.arguments().forEach(argument -> collectAll(argument, found));
    } else if (field instanceof Product product) {
      product.factors().forEach(factor -> collectAll(factor, found));
    } else if (field instanceof Linear linear) {
      linear.terms().forEach(term -> collectAll(term.field(), found));
    }
  }

  /** Write a function to bytes and read it back. */
  private static CellFunction sent(CellFunction function) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
        out.writeObject(function);
      }
      ClassLoader loader = function.getClass().getClassLoader();
      try (ObjectInputStream in =
          new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())) {
            @Override
            protected Class<?> resolveClass(ObjectStreamClass description)
                throws ClassNotFoundException {
              return Class.forName(description.getName(), false, loader);
            }
          }) {
        return (CellFunction) in.readObject();
      }
    } catch (IOException | ClassNotFoundException e) {
      throw new AssertionError(function + " cannot be serialised: " + e, e);
    }
  }

  /** Background cells weigh what {@link CellField#background} says. */
  @Test
  public void boundsItsBackgroundHonestly() {
    with(
        0.2f,
        (state, session) -> {
          CellField weights = weights(state, session);
          for (float bound : new float[] {0.01f, 0.1f, 1}) {
            ValueRange range = weights.background(bound);
            forEachCell(
                (user, item) -> {
                  boolean background =
                      state.confidence().valueAt(user, item) == ZERO_CONFIDENCE
                          && Math.abs(state.prediction().valueAt(user, item)) <= bound;
                  float weight = weights.valueAt(user, item);
                  double rounding = 1e-5 * Math.abs(weight);
                  assertTrue(
                      !background
                          || weight >= range.low() - rounding && weight <= range.high() + rounding,
                      "background within "
                          + bound
                          + " of zero is said to weigh "
                          + range
                          + ", but weighs "
                          + weight);
                });
          }
        });
  }

  /** The weights can be summed and trained on. */
  @Test
  public void givesFieldsThatABackendCanUse() {
    with(
        1,
        (state, session) -> {
          CellField weights = weights(state, session);
          double[] sum = {0};
          forEachCell((user, item) -> sum[0] += weights.valueAt(user, item));
          assertEquals(sum[0], session.fields().sums(List.of(weights))[0], 1e-6 * Math.abs(sum[0]));
          try (FactorModel model = TestGrids.randomModel(root, SHAPE, 3, 31);
              LeastSquares problem =
                  session.leastSquares(
                      new LeastSquaresRequest(weights, state.ratings(), 3, new Ridge(1, 1, 0)))) {
            double first = problem.solve(Side.USERS, model);
            double second = problem.solve(Side.ITEMS, model);
            assertTrue(second <= first * (1 + 1e-6), first + " rose to " + second);
          }
        });
  }

  /** The rules hold however many members there are. */
  @Test
  public void weighsForLargerEnsembles() {
    with(
        1,
        (state, session) -> {
          EnsembleState grown =
              new EnsembleState(
                  7,
                  state.shape(),
                  state.positives(),
                  state.confidence(),
                  state.ratings(),
                  state.prediction());
          assertEveryWeight(
              grown,
              session,
              (weight, confidence) -> weight >= 0 && (confidence > 0 || weight == 0),
              "with seven members");
        });
  }

  // Ways to do it

  private static final GridShape SHAPE = new GridShape(21, 16);
  private static final float ZERO_CONFIDENCE = 0.01f;

  /** Judge a weight by the confidence of its cell. */
  @FunctionalInterface
  private interface Judge {
    boolean good(float weight, float confidence);
  }

  /** An action on a cell. */
  @FunctionalInterface
  private interface CellAction {
    void at(int user, int item);
  }

  /** Provide an ensemble whose predictions are multiplied by a number. */
  private void with(float scale, BiConsumer<EnsembleState, ComputeSession> use) {
    try (SparseCells positives = TestGrids.randomCells(root, SHAPE, 0.15, 32);
        SparseCells training =
            TestGrids.cellsWhere(
                root,
                SHAPE,
                (user, item) ->
                    positives.contains(user, item) && Grid.MASK.valueAt(user, item) > 0);
        FactorModel first = TestGrids.randomModel(root, SHAPE, 3, 33);
        FactorModel second = TestGrids.randomModel(root, SHAPE, 2, 34);
        ComputeSession session = new ReferenceComputeSession(SHAPE, root)) {
      int before = Buffers.fingerprint(positives) + Buffers.fingerprint(first);
      use.accept(
          new EnsembleState(
              2,
              SHAPE,
              training,
              CellField.product(Grid.MASK, CellField.observed(positives, 1, ZERO_CONFIDENCE)),
              CellField.observed(positives, 1, 0),
              new Linear(
                  List.of(
                      new Linear.Term(0.6f * scale, CellField.score(first)),
                      new Linear.Term(0.4f * scale, CellField.score(second))))),
          session);
      assertEquals(
          before,
          Buffers.fingerprint(positives) + Buffers.fingerprint(first),
          "the ensemble was changed");
    }
  }

  private void assertEveryWeight(
      EnsembleState state, ComputeSession session, Judge judge, String what) {
    CellField weights = weights(state, session);
    forEachCell(
        (user, item) -> {
          float weight = weights.valueAt(user, item);
          assertTrue(
              judge.good(weight, state.confidence().valueAt(user, item)),
              () -> "weight " + weight + " of user " + user + ", item " + item + " " + what);
        });
  }

  private static void forEachCell(CellAction action) {
    for (int user = 0; user < SHAPE.users(); user++) {
      for (int item = 0; item < SHAPE.items(); item++) {
        action.at(user, item);
      }
    }
  }

  private CellField weights(EnsembleState state, ComputeSession session) {
    return scheme().weights(state, session.fields());
  }

  private WeightingScheme scheme() {
    return scheme(provider());
  }

  private <O extends Record> WeightingScheme scheme(WeightingSchemeProvider<O> provider) {
    return provider.create(provider.options().bind(provider.describe().id(), optionTexts()));
  }
}
