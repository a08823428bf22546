package org.pecf.distribution.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.data.Part;
import org.pecf.distribution.protocol.DividedData.Cell;
import org.pecf.engine.construct.Construction;
import org.pecf.engine.data.split.MeasuredPart;
import org.pecf.engine.data.split.SplitRule;
import org.pecf.engine.evaluate.CandidatePolicy;
import org.pecf.engine.evaluate.EvaluationRequest;
import org.pecf.engine.evaluate.Evaluator;
import org.pecf.engine.evaluate.Metrics;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.request.TrainingRequest;
import org.pecf.engine.run.PreparedData;
import org.pecf.engine.run.RunScope;
import org.pecf.engine.run.TrainingResult;
import org.pecf.engine.run.TrainingRun;

/**
 * On pure noise there is nothing to learn, so whoever recalls more than chance has been told. What
 * is known to reward something else, memorising, says so, and is shown to do it.
 */
class CanaryIT {
  private static final int USERS = 120;
  private static final int ITEMS = 150;
  private static final int POSITIVES = 25;
  private static final int CUTOFF = 15;

  @TempDir private Path folder;

  static Stream<Arguments> protocols() {
    return Arrays.stream(Rule.values())
        .flatMap(
            rule ->
                Stream.of(ComputationPath.DENSE, ComputationPath.CORRECTED)
                    .map(path -> Arguments.of(rule, path)));
  }

  /** Return as many positives of every user, each item being as likely as any other. */
  private static DividedData noise() {
    Random random = new Random(3);
    List<Cell> cells = new ArrayList<>();
    for (int user = 0; user < USERS; user++) {
      List<Integer> items = new ArrayList<>(IntStream.range(0, ITEMS).boxed().toList());
      Collections.shuffle(items, random);
      for (int item : items.subList(0, POSITIVES)) {
        cells.add(new Cell(user, item));
      }
    }
    Collections.shuffle(cells, random);
    int heldOut = cells.size() / 5;
    return new DividedData(
        cells.subList(2 * heldOut, cells.size()),
        cells.subList(0, heldOut),
        cells.subList(heldOut, 2 * heldOut));
  }

  private PreparedData load(Rule rule, ComputationPath path) throws IOException {
    return Trainings.load(noise().write(folder, "noise-" + rule, rule.fileAPart()), path);
  }

  @ParameterizedTest
  @MethodSource("protocols")
  void nothingBeatsChanceOnNoise(Rule rule, ComputationPath path) throws IOException {
    SplitRule split = rule.split();
    try (PreparedData data = load(rule, path)) {
      int metrics = 0;
      for (ProviderChoice filter : Trainings.filters()) {
        for (Construction construction : Construction.values()) {
          if (Trainings.allowed(construction, filter, path)) {
            TrainingRequest request =
                Trainings.request(data, split, evaluation(split), construction, filter);
            metrics += assertChance(rule, data, request, filter.id() + ", " + construction);
          }
        }
      }
      assertTrue(metrics >= 50, "only " + metrics + " metrics were looked at");
    }
  }

  /** Weights of either sign, of members of all kinds and of ramps that correct popularity. */
  @ParameterizedTest
  @MethodSource("protocols")
  void stackedWeightsAreNoBetter(Rule rule, ComputationPath path) throws IOException {
    SplitRule split = rule.split();
    try (PreparedData data = load(rule, path)) {
      TrainingRequest request =
          Trainings.request(
              data, split, evaluation(split), Construction.GREEDY, Trainings.filters().get(0));
      List<ProviderChoice> plan = new ArrayList<>(Trainings.filters());
      plan.add(ProviderChoice.parse("popularity-ramp:from=0:to=1"));
      TrainingRequest stacked =
          request.withEnsemble(
              request
                  .ensemble()
                  .withFilters(plan)
                  .with(Map.of("weights", "stacked", "rounds", "" + (plan.size() - 1))));
      assertTrue(assertChance(rule, data, stacked, "stacked") > 0);
    }
  }

  private static EvaluationRequest evaluation(SplitRule split) {
    return new EvaluationRequest(List.of(CUTOFF), CandidatePolicy.usual(split));
  }

  /** Compare the recall of each part and each policy that claims to be fair with chance. */
  private static int assertChance(
      Rule rule, PreparedData data, TrainingRequest request, String what) {
    int metrics = 0;
    SplitRule split = rule.split();
    try (TrainingResult result =
            new TrainingRun(request, data, RunScope.measuring(Set.of())).run();
        ComputeSession session = data.workspace().open(data.dataset().shape())) {
      for (CandidatePolicy candidates : CandidatePolicy.values()) {
        boolean possible = candidates != CandidatePolicy.PART_CELLS || split.dividesZeros();
        if (possible && (candidates.caveat(split).isEmpty() || nothingToMemorise(request))) {
          for (Part number : measured(request)) {
            MeasuredPart part = result.split().part(number);
            double recall = recall(result, part, candidates, session);
            String where =
                rule
                    + ", "
                    + request.compute().path()
                    + ", "
                    + what
                    + ", "
                    + part.part()
                    + ", "
                    + candidates;
            if (candidates == CandidatePolicy.ALL) {
              // Training positives take places, as they should: there may be fewer hits.
              Chance chance = Chance.of(part, CandidatePolicy.ALL_BUT_KNOWN, CUTOFF);
              assertTrue(recall <= chance.high(), () -> where + ": " + recall + ", " + chance);
            } else {
              Chance.of(part, candidates, CUTOFF).assertHolds(recall, where);
            }
            metrics++;
          }
        }
      }
    }
    return metrics;
  }

  /** Return the parts on which nothing was chosen. */
  private static List<Part> measured(TrainingRequest request) {
    return request.ensemble().selects() ? List.of(Part.TEST) : List.of(Part.VALIDATION, Part.TEST);
  }

  /**
   * Return whether training does not tell the zeros that it has seen from cells held out: on the
   * corrected path least squares count all of them by expectation, where no weight depends on
   * scores. Where weights do, cells scored beyond the bound are taken exactly.
   */
  private static boolean nothingToMemorise(TrainingRequest request) {
    return request.compute().path() == ComputationPath.CORRECTED
        && Set.of(Construction.SINGLE, Construction.BAGGING, Construction.L2BOOST)
            .contains(request.ensemble().construction())
        && request.ensemble().filters().stream().allMatch(filter -> filter.id().equals("wmf"));
  }

  private static double recall(
      TrainingResult result,
      MeasuredPart part,
      CandidatePolicy candidates,
      ComputeSession session) {
    return Evaluator.evaluate(
            result.ensemble().prediction(),
            part,
            Metrics.of(new EvaluationRequest(List.of(CUTOFF), candidates)),
            Trainings.CONFIDENCE,
            session,
            () -> false)
        .value("recall@" + CUTOFF);
  }

  /**
   * The named exception: with a split of all cells, ranking cells that training has seen as zeros
   * beside cells that it has not. A model that remembers its zeros recalls noise, and ranks the
   * part's own cells no better than chance.
   */
  @Test
  void memorisingPaysOnlyWherePoliciesSaySo() throws IOException {
    SplitRule split = Rule.CELLS.split();
    ProviderChoice filter =
        new ProviderChoice("wmf", Map.of("rank", "45", "iterations", "5", "lambda", "0.2"));
    for (ComputationPath path : List.of(ComputationPath.DENSE, ComputationPath.CORRECTED)) {
      try (PreparedData data = load(Rule.CELLS, path)) {
        TrainingRequest request =
            Trainings.request(data, split, evaluation(split), Construction.L2BOOST, filter);
        try (TrainingResult result =
                new TrainingRun(request, data, RunScope.measuring(Set.of())).run();
            ComputeSession session = data.workspace().open(data.dataset().shape())) {
          MeasuredPart part = result.split().part(Part.TEST);
          // With policy ALL, training positives fill the lists before anything else can show.
          for (CandidatePolicy candidates : EnumSet.complementOf(EnumSet.of(CandidatePolicy.ALL))) {
            Chance chance = Chance.of(part, candidates, CUTOFF);
            double recall = recall(result, part, candidates, session);
            String what = path + ", " + candidates;
            assertEquals(
                candidates != CandidatePolicy.PART_CELLS, candidates.caveat(split).isPresent());
            // On the corrected path held-out cells count by expectation, as all zeros do.
            if (path == ComputationPath.DENSE && candidates.caveat(split).isPresent()) {
              assertTrue(
                  recall > 2 * chance.mean() && recall > chance.high(),
                  () -> what + ": " + recall + " is no more than " + chance);
            } else {
              chance.assertHolds(recall, what);
            }
          }
        }
      }
    }
  }
}
