package org.pecf.engine.recommend.foldin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.ensemble.WeightingScheme;
import org.pecf.api.field.Apply;
import org.pecf.api.field.CellField;
import org.pecf.api.field.CellFunction;
import org.pecf.api.field.Posterior;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.NewRow;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.RowRule;
import org.pecf.api.memory.RowRules;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.memory.SparseMatrix;
import org.pecf.api.memory.SparseProductModel;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.RunListener;
import org.pecf.api.run.Seed;
import org.pecf.engine.algebra.SymmetricMatrix;
import org.pecf.engine.construct.BuildPlan;
import org.pecf.engine.construct.Construction;
import org.pecf.engine.construct.EmSettings;
import org.pecf.engine.construct.EnsembleBuilder;
import org.pecf.engine.construct.LoopCheckpoint;
import org.pecf.engine.construct.TrainingCells;
import org.pecf.engine.data.split.Confidence;
import org.pecf.engine.ensemble.Combination;
import org.pecf.engine.ensemble.Ensemble;
import org.pecf.engine.ensemble.Member;
import org.pecf.engine.ensemble.MemberFit;
import org.pecf.engine.ensemble.WeightRule;
import org.pecf.engine.evaluate.CandidatePolicy;
import org.pecf.engine.evaluate.EvaluationRequest;
import org.pecf.engine.evaluate.MetricKey;
import org.pecf.engine.evaluate.Metrics;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.testkit.fixture.DirectParallelism;
import org.pecf.testkit.fixture.SparseProducts;
import org.pecf.testkit.fixture.TestGrids;
import org.pecf.testkit.reference.ReferenceComputeSession;

/** Rows of training users, folded in from their own positives, against the rows of training. */
class FoldInTest {
  private static final GridShape SHAPE = new GridShape(23, 19);
  private static final Confidence CONFIDENCE = new Confidence(1, 0.1f);

  private Confidence confidence = CONFIDENCE;
  private final RootAllocator root = new RootAllocator();
  private final SparseCells positives = TestGrids.planted(root, SHAPE, 3, 0.7, 0.1, 5);
  private final PluginCatalog catalog = PluginCatalog.builtIn();

  @AfterEach
  void closeMemory() {
    positives.close();
    root.close();
  }

  private ComputeSession session() {
    return new ReferenceComputeSession(
        new SessionContext(
            new RunContext(root, new DirectParallelism(), () -> false, RunListener.none()),
            SHAPE,
            ComputationPath.AUTO,
            0));
  }

  private Ensemble train(
      Construction construction, WeightingScheme weighting, BaseFilter filter, int chains) {
    MetricKey selection = MetricKey.parse("recall@5");
    BuildPlan plan =
        new BuildPlan(
            construction,
            List.of(new BuildPlan.NamedFilter("squares", filter)),
            weighting,
            (step, kernels) -> 0.4,
            2,
            0,
            selection,
            Metrics.of(new EvaluationRequest(List.of(5), CandidatePolicy.ALL_BUT_TRAINING)));
    EmSettings em =
        EmSettings.SCHEMA.bind(
            "",
            Map.of(
                "components",
                "2",
                "em-iterations",
                "40",
                "em-deviation",
                "0.4",
                "em-tolerance",
                "0"));
    try (ComputeSession session = session()) {
      return EnsembleBuilder.build(
              plan,
              em,
              chains,
              new TrainingCells(positives, Optional.empty(), confidence),
              Optional.empty(),
              new TrainingContext(
                  new RunContext(root, new DirectParallelism(), () -> false, RunListener.none()),
                  session,
                  new Seed(8)),
              LoopCheckpoint.none())
          .ensemble();
    }
  }

  private WeightingScheme posterior(String scaling) {
    return catalog.weighting(
        new ProviderChoice("posterior", Map.of("nu", "4", "sigma", "0.6", "scaling", scaling)));
  }

  private int[] row(Side side, int index) {
    return side == Side.USERS
        ? IntStream.range(positives.userStart(index), positives.userStart(index + 1))
            .map(positives::itemAt)
            .toArray()
        : IntStream.range(positives.itemStart(index), positives.itemStart(index + 1))
            .map(positives::userAt)
            .toArray();
  }

  /** Return the largest difference between a trained score and one of the folded-in row. */
  private double difference(Ensemble ensemble, Side side, FoldIn foldIn) {
    CellField prediction = ensemble.prediction();
    double largest = 0;
    int rows = side == Side.USERS ? SHAPE.users() : SHAPE.items();
    for (int index = 0; index < rows; index++) {
      float[] scores = foldIn.fit(row(side, index)).scores();
      for (int cell = 0; cell < scores.length; cell++) {
        float trained =
            side == Side.USERS ? prediction.valueAt(index, cell) : prediction.valueAt(cell, index);
        largest = Math.max(largest, Math.abs(trained - scores[cell]));
      }
    }
    return largest;
  }

  private void assertAgrees(Construction construction, WeightingScheme weighting, int chains) {
    for (Side side : Side.values()) {
      for (double exponent : new double[] {0, 0.5, 1}) {
        try (Ensemble ensemble =
            train(construction, weighting, new AlternatingSquares(exponent, side, 3), chains)) {
          FoldIn foldIn =
              new FoldIn(ensemble, side, positives, 0, Optional.empty(), Optional.empty());
          assertEquals(
              0,
              difference(ensemble, side, foldIn),
              2e-5,
              construction + " of " + chains + ", " + side + ", exponent " + exponent);
        }
      }
    }
  }

  @Test
  void aSingleFilterAgrees() {
    assertAgrees(Construction.SINGLE, (state, kernels) -> state.confidence(), 1);
  }

  @Test
  void membersOfAveragedRatingsAgree() {
    assertAgrees(Construction.BAGGING, (state, kernels) -> state.confidence(), 1);
  }

  @Test
  void reweightedMembersAgree() {
    for (String scaling : List.of("raw", "unit", "mean")) {
      assertAgrees(Construction.PROGRESSIVE, posterior(scaling), 1);
    }
  }

  @Test
  void membersOfResidualsAgree() {
    assertAgrees(Construction.L2BOOST, (state, kernels) -> state.confidence(), 1);
    assertAgrees(Construction.BOOSTED, posterior("mean"), 1);
  }

  @Test
  void averagedChainsAgree() {
    assertAgrees(Construction.PROGRESSIVE, posterior("mean"), 3);
    assertAgrees(Construction.BOOSTED, posterior("unit"), 2);
  }

  /** Zeros that weigh by the popularity of their items, of new users and of new items. */
  @Test
  void membersOfZerosWeighedByPopularityAgree() {
    confidence = new Confidence(1, 0.1f, 0.5f);
    assertAgrees(Construction.SINGLE, (state, kernels) -> state.confidence(), 1);
    assertAgrees(Construction.PROGRESSIVE, posterior("mean"), 1);
    assertAgrees(Construction.BOOSTED, posterior("unit"), 1);
  }

  /** Members are trained by the scores of others as these were before they were standardised. */
  @Test
  void standardisedMembersAgree() {
    for (WeightingScheme weighting :
        List.of((state, kernels) -> state.confidence(), posterior("mean"))) {
      try (Ensemble ensemble =
          train(Construction.GREEDY, weighting, new AlternatingSquares(1, Side.USERS, 3), 1)) {
        FoldIn foldIn =
            new FoldIn(ensemble, Side.USERS, positives, 0, Optional.empty(), Optional.empty());
        assertEquals(0, difference(ensemble, Side.USERS, foldIn), 2e-4);
        for (float[] scores : foldIn.fit(row(Side.USERS, 7)).memberScores()) {
          double mean = mean(scores, 1, 0);
          assertEquals(1, Math.sqrt(mean(scores, 2, mean)), 1e-4, "the deviation of scores");
        }
      }
    }
  }

  /** Return the mean of powers of the distance from a number. */
  private static double mean(float[] values, int power, double from) {
    return IntStream.range(0, values.length)
        .mapToDouble(k -> Math.pow(values[k] - from, power))
        .average()
        .orElseThrow();
  }

  @Test
  void newItemsOfStandardisedMembersAreRefused() {
    try (Ensemble ensemble =
        train(
            Construction.GREEDY,
            (state, kernels) -> state.confidence(),
            new AlternatingSquares(1, Side.ITEMS, 3),
            1)) {
      FoldIn foldIn =
          new FoldIn(ensemble, Side.ITEMS, positives, 0, Optional.empty(), Optional.empty());
      PecfException refused =
          assertThrows(PecfException.class, () -> foldIn.fit(row(Side.ITEMS, 2)));
      assertTrue(refused.getMessage().contains("standardised"), refused.getMessage());
    }
  }

  /** An ensemble that was cut back after training is what it was with that many members. */
  @Test
  void aPrefixAgrees() {
    try (Ensemble ensemble =
        train(
            Construction.BOOSTED, posterior("mean"), new AlternatingSquares(1, Side.USERS, 3), 1)) {
      ensemble.truncate(2);
      FoldIn foldIn =
          new FoldIn(ensemble, Side.USERS, positives, 0, Optional.empty(), Optional.empty());
      assertEquals(0, difference(ensemble, Side.USERS, foldIn), 2e-5);
    }
  }

  /** Where a mixture has settled in training, so does a row that is folded in. */
  @Test
  void theComponentsOfAMixtureNearlyAgree() {
    try (Ensemble ensemble =
        train(
            Construction.EM,
            (state, kernels) -> state.confidence(),
            new AlternatingSquares(1, Side.USERS, 3),
            1)) {
      FoldIn foldIn =
          new FoldIn(ensemble, Side.USERS, positives, 0, Optional.empty(), Optional.empty());
      double total = 0;
      double off = 0;
      CellField prediction = ensemble.prediction();
      for (int user = 0; user < SHAPE.users(); user++) {
        float[] scores = foldIn.fit(row(Side.USERS, user)).scores();
        for (int item = 0; item < scores.length; item++) {
          float trained = prediction.valueAt(user, item);
          off += (trained - scores[item]) * (trained - scores[item]);
          total += trained * trained;
        }
      }
      assertTrue(off < 0.01 * total, "off by " + off / total);
    }
  }

  /** A function of a plugin, so that its weights cannot be stored. */
  private record Own(Posterior inner) implements CellFunction {
    @Override
    public float value(float[] arguments) {
      return inner.value(arguments);
    }
  }

  @Test
  void weightsOfAPluginAgreeWhereThePluginIsAtHand() {
    // Its totals are those of the training grid, not of the new row.
    WeightingScheme scheme =
        (state, kernels) -> {
          CellField plain =
              CellField.product(
                  state.confidence(),
                  new Apply(new Own(new Posterior(4, 0.6f, 1)), List.of(state.error())));
          double[] sums = kernels.sums(List.of(state.confidence(), plain));
          return CellField.product(
              state.confidence(),
              new Apply(
                  new Own(new Posterior(4, 0.6f, (float) (sums[0] / sums[1]))),
                  List.of(state.error())));
        };
    for (int chains : new int[] {1, 2}) {
      try (Ensemble ensemble =
              train(
                  Construction.BOOSTED, scheme, new AlternatingSquares(1, Side.USERS, 3), chains);
          ComputeSession session = session()) {
        FoldIn without =
            new FoldIn(ensemble, Side.USERS, positives, 0, Optional.empty(), Optional.empty());
        PecfException missing =
            assertThrows(PecfException.class, () -> without.fit(new int[] {1, 2}));
        assertTrue(missing.getMessage().contains("only its plugin knows"), missing.getMessage());
        FoldIn with =
            new FoldIn(
                ensemble,
                Side.USERS,
                positives,
                0.25,
                Optional.of(new SchemeWeights(ensemble, positives, scheme, session.fields())),
                Optional.empty());
        assertEquals(0, difference(ensemble, Side.USERS, with), 2e-5);
      }
    }
  }

  /** Return the same ensemble with members that only their filter fits new rows to. */
  private static Ensemble ofFilters(Ensemble trained) {
    Ensemble same = new Ensemble(SHAPE);
    for (Member member : trained.members()) {
      FactorModel model = (FactorModel) member.model();
      same.add(
          model.withRules(
              new RowRules(settings(model.rules().users()), settings(model.rules().items()))),
          member.filterId(),
          member.combination(),
          member.alpha(),
          member.fit());
    }
    return same;
  }

  private static RowRule settings(RowRule rule) {
    RowRule.LeastSquares squares = (RowRule.LeastSquares) rule;
    return new RowRule.OfFilter(
        Map.of("penalty", "" + squares.unitPenalty(), "exponent", "" + squares.exponent()));
  }

  /** Solve a row over all cells. */
  private static float[] solved(NewRow row) {
    int rank = row.others().columns();
    SymmetricMatrix matrix = new SymmetricMatrix(rank);
    double[] right = new double[rank];
    double total = 0;
    for (int cell = 0; cell < row.others().rows(); cell++) {
      double[] factors = new double[rank];
      for (int k = 0; k < rank; k++) {
        factors[k] = row.others().get(cell, k);
        right[k] += (double) row.weights()[cell] * row.targets()[cell] * factors[k];
      }
      matrix.addSquare(row.weights()[cell], factors);
      total += row.weights()[cell];
    }
    double penalty = Double.parseDouble(row.settings().get("penalty"));
    double exponent = Double.parseDouble(row.settings().get("exponent"));
    matrix.addToDiagonal(penalty * Math.pow(total, exponent) / 2);
    assertTrue(matrix.factorise());
    double[] x = matrix.solve(right);
    float[] fitted = new float[rank];
    for (int k = 0; k < rank; k++) {
      fitted[k] = (float) x[k];
    }
    return fitted;
  }

  /** A filter is told the weights and targets that rows of the engine's own rules have. */
  @Test
  void aFilterFitsRowsInItsOwnWay() {
    for (Construction construction :
        List.of(Construction.PROGRESSIVE, Construction.BOOSTED, Construction.EM)) {
      WeightingScheme weighting =
          construction == Construction.EM
              ? (state, kernels) -> state.confidence()
              : posterior("mean");
      try (Ensemble trained =
          train(construction, weighting, new AlternatingSquares(0.5, Side.USERS, 3), 1)) {
        Ensemble same = ofFilters(trained);
        for (Side side : Side.values()) {
          FoldIn known =
              new FoldIn(trained, side, positives, 0, Optional.empty(), Optional.empty());
          List<String> asked = new ArrayList<>();
          FoldIn own =
              new FoldIn(
                  same,
                  side,
                  positives,
                  0,
                  Optional.empty(),
                  Optional.of(
                      filter -> {
                        asked.add(filter);
                        return row -> {
                          assertEquals(side, row.side());
                          return solved(row);
                        };
                      }));
          for (int index = 0; index < 5; index++) {
            assertArrayEquals(
                known.fit(row(side, index)).scores(), own.fit(row(side, index)).scores(), 1e-4f);
          }
          assertEquals(Set.of("squares"), Set.copyOf(asked));
        }
      }
    }
  }

  @Test
  void aRuleOfAFilterNeedsItsPlugin() {
    try (Ensemble ensemble = new Ensemble(SHAPE)) {
      add(ensemble, random(4, new RowRule.OfFilter(Map.of())));
      PecfException missing =
          assertThrows(PecfException.class, () -> of(ensemble).fit(new int[] {1}));
      assertEquals(
          "New users cannot be taken in without the plugin of filter some, which fits them in its"
              + " own way (member 1). Open the model with the plugin's folder.",
          missing.getMessage());
      for (float[] wrong : new float[][] {{1, 2, 3}, {1, 2, 3, Float.NaN}}) {
        FoldIn foldIn =
            new FoldIn(
                ensemble,
                Side.USERS,
                positives,
                0.25,
                Optional.empty(),
                Optional.of(filter -> row -> wrong));
        PecfException fault = assertThrows(PecfException.class, () -> foldIn.fit(new int[] {1}));
        assertEquals(ErrorCode.PLUGIN_FAULT, fault.code());
        assertTrue(fault.getMessage().contains("not of 4 finite factors"), fault.getMessage());
      }
    }
  }

  /** The background changes a row by no more than the bound on weights explains. */
  @Test
  void sharedWeightsOfZerosChangeARowLittle() {
    try (Ensemble ensemble =
        train(
            Construction.BOOSTED, posterior("mean"), new AlternatingSquares(1, Side.USERS, 3), 1)) {
      double before = 0;
      for (double bound : new double[] {0.001, 0.05, 0.3}) {
        FoldIn foldIn =
            new FoldIn(ensemble, Side.USERS, positives, bound, Optional.empty(), Optional.empty());
        double difference = difference(ensemble, Side.USERS, foldIn);
        assertTrue(difference < bound, bound + " gives " + difference);
        before = Math.max(before, difference);
      }
      assertTrue(before > 1e-4, "no zero shared a weight");
    }
  }

  @Test
  void weightsWithinTheBoundAreWithinTheTolerance() {
    Posterior rho = new Posterior(10, 0.7f, 2);
    for (double tolerance : new double[] {0.01, 0.1, 0.25}) {
      float bound = FunctionWeights.bound(rho, 1, tolerance);
      float plain = rho.value(new float[] {0});
      for (int step = -10; step <= 10; step++) {
        float weight = rho.value(new float[] {bound * step / 10});
        assertTrue(Math.abs(plain - weight) <= tolerance * weight * 1.0001, "at " + step);
      }
      float beyond = rho.value(new float[] {bound * 1.01f});
      assertTrue(Math.abs(plain - beyond) > tolerance * beyond, "the bound is too small");
    }
    assertTrue(FunctionWeights.bound(rho, 1, 0) < 0);
  }

  private static MemberFit plain() {
    return MemberFit.of(CONFIDENCE, new WeightRule.Plain(), false, List.of());
  }

  private FoldIn of(Ensemble ensemble) {
    return new FoldIn(ensemble, Side.USERS, positives, 0.25, Optional.empty(), Optional.empty());
  }

  private FactorModel random(int rank, RowRule users) {
    FactorModel model = FactorModel.allocate(root, SHAPE, rank);
    float[] values = new float[SHAPE.items() * rank];
    new Seed(3).fillNormal(values, 1);
    model.items().writeRows(0, SHAPE.items(), values);
    return model.withRules(new RowRules(users, new RowRule.Impossible("it is a test")));
  }

  private static void add(Ensemble ensemble, ScoreModel model) {
    ensemble.add(model, "some", Combination.ADDITIVE, 1, Optional.of(plain()));
  }

  @Test
  void rowsOfItemToItemModelsAreThePositives() {
    try (Ensemble ensemble = new Ensemble(SHAPE)) {
      add(ensemble, random(SHAPE.items() + 1, new RowRule.Positives(1)));
      float[] row = of(ensemble).fit(new int[] {0, 4, 18}).factors().get(0);
      float[] expected = new float[SHAPE.items() + 1];
      for (int k : new int[] {0, 4, 18, 19}) {
        expected[k] = 1;
      }
      assertArrayEquals(expected, row);
      float[] scores = of(ensemble).fit(new int[] {0, 4, 18}).scores();
      FactorModel model = (FactorModel) ensemble.members().get(0).model();
      for (int item = 0; item < SHAPE.items(); item++) {
        float sum =
            model.items().get(item, 0)
                + model.items().get(item, 4)
                + model.items().get(item, 18)
                + model.items().get(item, 19);
        assertEquals(sum, scores[item], 1e-5f);
      }
    }
  }

  @Test
  void sparseItemToItemModelsScoreTheProfile() {
    try (Ensemble ensemble = new Ensemble(SHAPE)) {
      add(
          ensemble,
          new SparseProductModel(
              Side.ITEMS,
              SparseMatrix.ofCells(root, positives),
              SparseProducts.matrix(root, SHAPE.items(), SHAPE.items(), 0.3, 5),
              0.5f));
      add(ensemble, random(2, new RowRule.Same(1)));
      ScoreModel product = ensemble.members().get(0).model();
      FoldIn foldIn = of(ensemble);
      for (int user = 0; user < SHAPE.users(); user++) {
        FoldedRow row = foldIn.fit(row(Side.USERS, user));
        for (int item = 0; item < SHAPE.items(); item++) {
          assertEquals(product.scoreAt(user, item), row.memberScores().get(0)[item]);
          assertEquals(product.scoreAt(user, item), foldIn.trained(user).get(0)[item]);
          Attribution parts =
              foldIn.attribution(0, row(Side.USERS, user), row.memberScores(), item).orElseThrow();
          assertEquals(0.5, parts.zeros(), 1e-6);
          assertEquals(
              product.scoreAt(user, item), Arrays.stream(parts.positives()).sum() + 0.5, 1e-5);
          assertEquals(
              product.scoreAt(user, item) + row.memberScores().get(1)[item],
              row.scores()[item],
              1e-5f);
        }
      }
      PecfException items =
          assertThrows(
              PecfException.class,
              () ->
                  new FoldIn(
                          ensemble, Side.ITEMS, positives, 0.25, Optional.empty(), Optional.empty())
                      .fit(new int[] {1}));
      assertTrue(items.getMessage().startsWith("New items cannot be taken in"), "" + items);
    }
  }

  @Test
  void userToUserModelsTakeInNobody() {
    try (Ensemble ensemble = new Ensemble(SHAPE)) {
      add(ensemble, SparseProducts.random(root, SHAPE, Side.USERS, 0.3, 4));
      PecfException refused =
          assertThrows(PecfException.class, () -> of(ensemble).fit(new int[] {1}));
      assertEquals(
          "New users cannot be taken in by this model, because filter some relates users by what"
              + " they had in common when it was trained (member 1). Train it again with the new"
              + " data.",
          refused.getMessage());
      ScoreModel product = ensemble.members().get(0).model();
      assertEquals(product.scoreAt(3, 5), of(ensemble).trained(3).get(0)[5]);
      assertTrue(of(ensemble).attribution(0, new int[] {1}, of(ensemble).trained(3), 5).isEmpty());
    }
  }

  /** A user's similarities by their definition, item by item. */
  @Test
  void userToUserModelsWithARuleTakeInUsersByIt() {
    RowRule.Neighbours rule = new RowRule.Neighbours(6, 0.4, 0.3, 1.5, 0.7);
    try (Ensemble ensemble = new Ensemble(SHAPE)) {
      SparseProductModel model =
          SparseProducts.random(root, SHAPE, Side.USERS, 0.4, 4).withRule(rule);
      add(ensemble, model);
      FoldIn foldIn = of(ensemble);
      int[] liked = {2, 5, 9, 11};
      double[] similarities = new double[SHAPE.users()];
      for (int user = 0; user < SHAPE.users(); user++) {
        double shared = 0;
        double own = 0;
        double others = 0;
        for (int item = 0; item < SHAPE.items(); item++) {
          double weight = Math.pow(positives.itemCount(item), -0.4);
          boolean mine = Arrays.binarySearch(liked, item) >= 0;
          own += mine ? weight : 0;
          others += positives.contains(user, item) ? weight : 0;
          shared += mine && positives.contains(user, item) ? weight : 0;
        }
        similarities[user] = 0.7 * Math.pow(shared / (Math.sqrt(own * others) + 0.3), 1.5);
      }
      double[] sorted = similarities.clone();
      Arrays.sort(sorted);
      double least = sorted[sorted.length - 6];
      FoldedRow row = foldIn.fit(liked);
      for (int item = 0; item < SHAPE.items(); item++) {
        double expected =
            ensemble.members().get(0).model() instanceof SparseProductModel product
                ? product.intercept()
                : 0;
        for (int user = 0; user < SHAPE.users(); user++) {
          expected +=
              similarities[user] >= least ? similarities[user] * model.right().get(user, item) : 0;
        }
        assertEquals(expected, row.scores()[item], 1e-5, "item " + item);
        Attribution parts = foldIn.attribution(0, liked, row.memberScores(), item).orElseThrow();
        assertEquals(
            expected, Arrays.stream(parts.positives()).sum() + parts.zeros(), 1e-5, "item " + item);
      }
      assertArrayEquals(
          new float[SHAPE.items()],
          minus(foldIn.fit(new int[0]).scores(), model.intercept()),
          "nobody");
    }
  }

  private static float[] minus(float[] values, float constant) {
    float[] less = values.clone();
    for (int k = 0; k < less.length; k++) {
      less[k] -= constant;
    }
    return less;
  }

  /** The likelihood by its definition: the row is near its highest place. */
  @Test
  void softmaxStepsMakePositivesLikely() {
    FactorModel model = random(5, new RowRule.Softmax(1, 0.3, 60));
    for (int item = 0; item < SHAPE.items(); item++) {
      double square = 0;
      for (int k = 0; k < 4; k++) {
        square += model.items().get(item, k) * (double) model.items().get(item, k);
      }
      for (int k = 0; k < 4; k++) {
        model.items().set(item, k, (float) (model.items().get(item, k) / Math.sqrt(square)));
      }
    }
    try (Ensemble ensemble = new Ensemble(SHAPE)) {
      add(ensemble, model);
      int[] liked = {2, 9};
      float[] row = of(ensemble).fit(liked).factors().get(0);
      assertEquals(1, row[4], "the last factor is one");
      double best = likelihood(row, liked, ensemble);
      SplittableRandom random = new SplittableRandom(3);
      for (int trial = 0; trial < 2000; trial++) {
        float[] other = row.clone();
        double square = 0;
        for (int k = 0; k < 4; k++) {
          other[k] += (float) ((random.nextDouble() - 0.5) * (trial % 2 == 0 ? 0.05 : 2));
          square += other[k] * (double) other[k];
        }
        for (int k = 0; k < 4; k++) {
          other[k] /= (float) Math.sqrt(square);
        }
        assertTrue(likelihood(other, liked, ensemble) < best + 1e-3, Arrays.toString(other));
      }
      assertArrayEquals(
          new float[] {0, 0, 0, 0, 1}, of(ensemble).fit(new int[0]).factors().get(0), "no items");
    }
  }

  private static double likelihood(float[] row, int[] liked, Ensemble ensemble) {
    FactorModel model = (FactorModel) ensemble.members().get(0).model();
    double[] cosines = new double[SHAPE.items()];
    double sum = 0;
    for (int item = 0; item < cosines.length; item++) {
      for (int k = 0; k < 4; k++) {
        cosines[item] += row[k] * model.items().get(item, k);
      }
      sum += Math.exp(cosines[item] / 0.3);
    }
    double mean = 0;
    for (int item : liked) {
      mean += (cosines[item] / 0.3 - Math.log(sum)) / liked.length;
    }
    return mean;
  }

  @Test
  void rowsThatAreAllTheSameAreSo() {
    try (Ensemble ensemble = new Ensemble(SHAPE)) {
      add(ensemble, random(1, new RowRule.Same(1)));
      assertArrayEquals(new float[] {1}, of(ensemble).fit(new int[] {7}).factors().get(0));
    }
  }

  @Test
  void pairwiseStepsPreferWhatTheUserLikes() {
    try (Ensemble ensemble = new Ensemble(SHAPE)) {
      add(ensemble, random(5, new RowRule.Pairwise(0.5, 0.1, 0.01, 60, 0.5)));
      int[] liked = {2, 9};
      FoldedRow row = of(ensemble).fit(liked);
      assertEquals(1, row.factors().get(0)[4], "the last factor is one");
      assertArrayEquals(row.scores(), of(ensemble).fit(liked).scores(), "not the same every time");
      float[] sorted = row.scores().clone();
      Arrays.sort(sorted);
      float median = sorted[sorted.length / 2];
      for (int item : liked) {
        assertTrue(row.scores()[item] > median, "item " + item);
      }
    }
  }

  @Test
  void theDefaultFitsTheRowsTargets() {
    try (Ensemble ensemble = new Ensemble(SHAPE)) {
      add(ensemble, random(4, new RowRule.BestFit()));
      float[] scores = of(ensemble).fit(new int[] {2, 9}).scores();
      double liked = (scores[2] + scores[9]) / 2;
      double all = 0;
      for (float score : scores) {
        all += score / scores.length;
      }
      assertTrue(liked > all + 0.2, liked + " against " + all);
    }
  }

  @Test
  void whatCannotBeTakenInIsRefusedWithTheReason() {
    try (Ensemble ensemble = new Ensemble(SHAPE)) {
      add(ensemble, random(4, new RowRule.BestFit()));
      FoldIn items =
          new FoldIn(ensemble, Side.ITEMS, positives, 0.25, Optional.empty(), Optional.empty());
      PecfException refused = assertThrows(PecfException.class, () -> items.fit(new int[] {1}));
      assertTrue(refused.getMessage().contains("because it is a test"), refused.getMessage());
      ensemble.add(
          random(4, new RowRule.BestFit()), "some", Combination.ADDITIVE, 1, Optional.empty());
      PecfException unknown =
          assertThrows(PecfException.class, () -> of(ensemble).fit(new int[] {1}));
      assertTrue(unknown.getMessage().contains("member 2"), unknown.getMessage());
    }
  }

  /** A model's description may be anything: it must not lead astray. */
  @Test
  void descriptionsThatContradictThemselvesAreRefused() {
    List<Ensemble> wrong = new ArrayList<>();
    Ensemble rank = new Ensemble(SHAPE);
    wrong.add(rank);
    add(rank, random(4, new RowRule.Positives(1)));
    Ensemble mixture = new Ensemble(SHAPE);
    wrong.add(mixture);
    mixture.add(
        random(4, new RowRule.BestFit()),
        "some",
        Combination.ADDITIVE,
        1,
        Optional.of(
            MemberFit.of(
                CONFIDENCE, new WeightRule.Mixture(1, List.of(0.5, 0.5), 0.4), false, List.of())));
    for (Ensemble ensemble : wrong) {
      try (ensemble) {
        PecfException refused =
            assertThrows(PecfException.class, () -> of(ensemble).fit(new int[] {1}));
        assertTrue(refused.getMessage().contains("damaged"), refused.getMessage());
      }
    }
  }

  private void assertAddsUp(Ensemble ensemble, double bound) {
    FoldIn foldIn =
        new FoldIn(ensemble, Side.USERS, positives, bound, Optional.empty(), Optional.empty());
    int[] liked = row(Side.USERS, 4);
    FoldedRow row = foldIn.fit(liked);
    for (int member = 0; member < ensemble.size(); member++) {
      for (int item = 0; item < SHAPE.items(); item++) {
        Attribution parts =
            foldIn.attribution(member, liked, row.memberScores(), item).orElseThrow();
        assertEquals(
            row.memberScores().get(member)[item],
            Arrays.stream(parts.positives()).sum() + parts.zeros(),
            1e-5,
            "member " + member + ", item " + item);
        if (!ensemble.members().get(member).fit().orElseThrow().residuals()) {
          assertEquals(0, parts.zeros(), 1e-9, "the target of zeros is zero");
        }
      }
    }
  }

  @Test
  void whatPositivesAndZerosAddMakesTheScore() {
    for (Construction construction :
        List.of(Construction.PROGRESSIVE, Construction.BOOSTED, Construction.GREEDY)) {
      for (double bound : new double[] {0, 0.25}) {
        try (Ensemble ensemble =
            train(construction, posterior("mean"), new AlternatingSquares(1, Side.USERS, 3), 1)) {
          assertAddsUp(ensemble, bound);
        }
      }
    }
    try (Ensemble ensemble =
        train(
            Construction.EM,
            (state, kernels) -> state.confidence(),
            new AlternatingSquares(1, Side.USERS, 3),
            1)) {
      FoldIn foldIn =
          new FoldIn(ensemble, Side.USERS, positives, 0, Optional.empty(), Optional.empty());
      FoldedRow row = foldIn.fit(row(Side.USERS, 4));
      Attribution parts =
          foldIn.attribution(1, row(Side.USERS, 4), row.memberScores(), 3).orElseThrow();
      assertEquals(
          row.memberScores().get(1)[3], Arrays.stream(parts.positives()).sum(), 1e-3, "settled");
    }
  }

  /** Taking a positive away changes the score by what it adds, if the weights are the same. */
  @Test
  void aPositiveAddsWhatIsMissingWithoutItsTarget() {
    try (Ensemble ensemble = new Ensemble(SHAPE)) {
      ensemble.add(
          random(4, new RowRule.LeastSquares(0.5, 0)),
          "some",
          Combination.ADDITIVE,
          1,
          Optional.of(
              MemberFit.of(new Confidence(1, 1), new WeightRule.Plain(), false, List.of())));
      FoldIn foldIn = of(ensemble);
      FoldedRow all = foldIn.fit(new int[] {2, 5, 9});
      FoldedRow without = foldIn.fit(new int[] {2, 9});
      double added =
          foldIn
              .attribution(0, new int[] {2, 5, 9}, all.memberScores(), 7)
              .orElseThrow()
              .positives()[1];
      assertEquals(all.scores()[7] - without.scores()[7], added, 1e-5);
    }
  }
}
