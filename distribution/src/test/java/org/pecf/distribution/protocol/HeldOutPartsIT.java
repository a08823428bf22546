package org.pecf.distribution.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.data.Part;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.distribution.protocol.DividedData.Cell;
import org.pecf.distribution.protocol.Rule.HeldOut;
import org.pecf.engine.construct.Construction;
import org.pecf.engine.construct.ConstructionEvent.MemberFinished;
import org.pecf.engine.construct.EnsembleRequest;
import org.pecf.engine.data.split.Split;
import org.pecf.engine.data.split.SplitRule;
import org.pecf.engine.evaluate.CandidatePolicy;
import org.pecf.engine.evaluate.EvaluationRequest;
import org.pecf.engine.evaluate.MetricKey;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.request.TrainingRequest;
import org.pecf.engine.run.PreparedData;
import org.pecf.engine.run.RunScope;
import org.pecf.engine.run.TrainingResult;
import org.pecf.engine.run.TrainingRun;

/**
 * A model is a function of the training part: to the bit, for every split rule, path, construction
 * and filter. Held-out positives are moved to other held-out cells or taken away, and nothing may
 * change but what an option asked to depend on the validation part.
 */
class HeldOutPartsIT {
  private static final GridShape SHAPE = new GridShape(40, 60);
  private static final List<ComputationPath> PATHS =
      List.of(ComputationPath.DENSE, ComputationPath.CORRECTED);
  private static final ProviderChoice WMF =
      new ProviderChoice("wmf", Map.of("rank", "4", "iterations", "2", "lambda", "0.1"));

  @TempDir private Path folder;

  static Stream<Arguments> protocols() {
    return Arrays.stream(Rule.values())
        .flatMap(rule -> PATHS.stream().map(path -> Arguments.of(rule, path)));
  }

  @Test
  void everySplitRuleIsTried() {
    Set<Class<?>> tried = new HashSet<>();
    for (Rule rule : Rule.values()) {
      tried.add(rule.split().getClass());
    }
    for (String form : SplitRule.forms()) {
      if (form.equals("none")) {
        continue; // It holds nothing out.
      }
      assertTrue(tried.contains(SplitRule.parse(form).getClass()), form + " is not tried");
    }
  }

  @ParameterizedTest
  @MethodSource("protocols")
  void modelsDependOnTheTrainingPartAlone(Rule rule, ComputationPath path) throws IOException {
    try (Variants variants =
        new Variants(rule, path, EnumSet.of(HeldOut.SAME, HeldOut.OTHER, HeldOut.FEWEST))) {
      int models = 0;
      for (ProviderChoice filter : Trainings.filters()) {
        for (Construction construction : Construction.values()) {
          if (Trainings.allowed(construction, filter, path)) {
            variants.assertSameModel(HeldOutPartsIT::joined, construction, filter);
            models++;
          }
        }
      }
      assertTrue(models >= 25, "only " + models + " models were compared");
    }
  }

  /** Chains, the other start of em, and alpha by the training cells. */
  @ParameterizedTest
  @MethodSource("protocols")
  void modelsOfOtherOptionsDependOnTheTrainingPartAlone(Rule rule, ComputationPath path)
      throws IOException {
    try (Variants variants =
        new Variants(rule, path, EnumSet.of(HeldOut.SAME, HeldOut.OTHER, HeldOut.FEWEST))) {
      for (Construction construction : Construction.values()) {
        variants.assertSameModel(
            request ->
                changed(
                    joined(request),
                    ProviderChoice.of("dynamic"),
                    0,
                    request.ensemble().selection(),
                    2),
            construction,
            WMF);
      }
    }
  }

  /**
   * Rounds chosen by validation metrics, and alpha searched over the validation cells: the test
   * part changes neither the model nor the metrics that it was chosen by.
   */
  @Test
  void testPositivesHaveNoSayInWhatValidationChooses() throws IOException {
    Set<String> dependent = new HashSet<>();
    for (Rule rule : Rule.values()) {
      for (ComputationPath path : PATHS) {
        compareOtherTest(rule, path, dependent);
      }
    }
    assertEquals(
        Set.of("recall@5", "wmse", "alpha", "selected", "stacked"),
        dependent,
        "what other validation positives change the model by");
  }

  private void compareOtherTest(Rule rule, ComputationPath path, Set<String> dependent)
      throws IOException {
    Set<HeldOut> compared = EnumSet.of(HeldOut.SAME, HeldOut.OTHER_TEST, HeldOut.OTHER);
    try (Variants variants = new Variants(rule, path, compared)) {
      for (String weights : List.of("selected", "stacked")) {
        UnaryOperator<TrainingRequest> fitting =
            request -> request.withEnsemble(request.ensemble().with(Map.of("weights", weights)));
        for (Construction construction : List.of(Construction.GREEDY, Construction.PROGRESSIVE)) {
          if (variants.assertSameModelForOtherTest(fitting, construction)) {
            dependent.add(weights);
          }
        }
      }
      for (Construction construction : List.of(Construction.PROGRESSIVE, Construction.L2BOOST)) {
        for (CandidatePolicy candidates :
            EnumSet.of(CandidatePolicy.usual(rule.split()), CandidatePolicy.ALL_BUT_TRAINING)) {
          for (String selection : List.of("recall@5", "wmse")) {
            UnaryOperator<TrainingRequest> patient =
                request ->
                    changed(
                        ranking(request, candidates),
                        request.ensemble().alpha(),
                        1,
                        MetricKey.parse(selection),
                        1);
            if (variants.assertSameModelForOtherTest(patient, construction)) {
              dependent.add(selection);
            }
          }
        }
        UnaryOperator<TrainingRequest> searching =
            request ->
                changed(
                    request,
                    ProviderChoice.parse("dynamic:validation"),
                    0,
                    request.ensemble().selection(),
                    1);
        if (variants.assertSameModelForOtherTest(searching, construction)) {
          dependent.add("alpha");
        }
      }
    }
  }

  /**
   * Return a request whose weights do not depend on validation, as they may by its construction.
   */
  private static TrainingRequest joined(TrainingRequest request) {
    return request.withEnsemble(request.ensemble().with(Map.of("weights", "joined")));
  }

  private static TrainingRequest ranking(TrainingRequest request, CandidatePolicy candidates) {
    return request.withProtocol(
        request.split(), new EvaluationRequest(request.evaluation().cutoffs(), candidates));
  }

  private static TrainingRequest changed(
      TrainingRequest request,
      ProviderChoice alpha,
      int patience,
      MetricKey selection,
      int chains) {
    EnsembleRequest ensemble = request.ensemble();
    boolean single = ensemble.construction() == Construction.SINGLE;
    return request.withEnsemble(
        ensemble
            .withAlpha(single ? ensemble.alpha() : alpha)
            .with(
                Map.of(
                    "rounds",
                    patience > 0 ? "4" : Integer.toString(ensemble.rounds()),
                    "patience",
                    Integer.toString(patience),
                    "select",
                    selection.toString(),
                    "em-start",
                    "l2boost",
                    "chains",
                    Integer.toString(chains))));
  }

  /** Data sets of the same training part. */
  private final class Variants implements AutoCloseable {
    private final SplitRule split;
    private final String name;
    private final Map<HeldOut, PreparedData> data = new EnumMap<>(HeldOut.class);

    Variants(Rule rule, ComputationPath path, Set<HeldOut> compared) throws IOException {
      this.split = rule.split();
      this.name = rule + ", " + path;
      for (HeldOut heldOut : compared) {
        DividedData divided = rule.data(SHAPE, Trainings.SEED, heldOut);
        PreparedData loaded =
            Trainings.load(divided.write(folder, rule + "-" + heldOut, rule.fileAPart()), path);
        data.put(heldOut, loaded);
        Split parts = loaded.split(split, Trainings.SEED);
        assertEquals(SHAPE, loaded.dataset().shape(), () -> heldOut + ": the grid");
        assertCells(divided.training(), parts.training(), heldOut + ": training");
        assertCells(divided.validation(), parts.validation(), heldOut + ": validation");
        assertCells(divided.test(), parts.test(), heldOut + ": test");
      }
    }

    private void assertCells(List<Cell> expected, SparseCells actual, String what) {
      List<Cell> cells = new ArrayList<>();
      for (int user = 0; user < actual.users(); user++) {
        for (int k = actual.userStart(user); k < actual.userStart(user + 1); k++) {
          cells.add(new Cell(user, actual.itemAt(k)));
        }
      }
      assertEquals(expected.size(), cells.size(), () -> name + ", " + what);
      assertEquals(new HashSet<>(expected), new HashSet<>(cells), () -> name + ", " + what);
    }

    /** What was made of one variant: a digest of the model, and how its rounds were measured. */
    private record Outcome(String model, List<Map<String, Double>> rounds) {}

    private Outcome train(
        HeldOut heldOut,
        UnaryOperator<TrainingRequest> change,
        Construction construction,
        ProviderChoice filter) {
      PreparedData loaded = data.get(heldOut);
      EvaluationRequest evaluation =
          new EvaluationRequest(List.of(5, 10), CandidatePolicy.usual(split));
      TrainingRequest request =
          change.apply(Trainings.request(loaded, split, evaluation, construction, filter));
      Set<Part> measured = EnumSet.of(Part.VALIDATION, Part.TEST);
      try (TrainingResult result =
          new TrainingRun(request, loaded, RunScope.measuring(measured)).run()) {
        List<Map<String, Double>> metrics = new ArrayList<>();
        result.rounds().stream().map(MemberFinished::validation).forEach(metrics::add);
        if (result.reports().containsKey("validation")) {
          metrics.add(result.reports().get(Part.VALIDATION).named());
        }
        return new Outcome(Trainings.digest(result.ensemble()), metrics);
      }
    }

    void assertSameModel(
        UnaryOperator<TrainingRequest> change, Construction construction, ProviderChoice filter) {
      String model = train(HeldOut.SAME, change, construction, filter).model();
      for (HeldOut heldOut : EnumSet.of(HeldOut.OTHER, HeldOut.FEWEST)) {
        assertEquals(
            model,
            train(heldOut, change, construction, filter).model(),
            () ->
                String.format(
                    "%s, %s of %s: held-out positives (%s) changed the model",
                    name, construction, filter.id(), heldOut));
      }
    }

    /** Return whether other validation positives, however, change the model. */
    boolean assertSameModelForOtherTest(
        UnaryOperator<TrainingRequest> change, Construction construction) {
      Outcome once = train(HeldOut.SAME, change, construction, WMF);
      assertEquals(
          once,
          train(HeldOut.OTHER_TEST, change, construction, WMF),
          () -> name + ", " + construction + ": test positives changed the model or its metrics");
      return !once.model().equals(train(HeldOut.OTHER, change, construction, WMF).model());
    }

    @Override
    public void close() {
      data.values().forEach(PreparedData::close);
    }
  }
}
