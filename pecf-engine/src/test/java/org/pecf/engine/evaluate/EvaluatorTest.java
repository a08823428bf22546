package org.pecf.engine.evaluate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.FieldKernels;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.MatrixKernels;
import org.pecf.api.compute.PairwiseRequest;
import org.pecf.api.compute.PairwiseSgd;
import org.pecf.api.compute.RankedItems;
import org.pecf.api.compute.RankingRequest;
import org.pecf.api.data.Part;
import org.pecf.api.field.CellField;
import org.pecf.api.field.CellPartition;
import org.pecf.api.memory.GridShape;
import org.pecf.engine.data.split.Confidence;
import org.pecf.engine.data.split.Split;
import org.pecf.engine.data.split.SplitRule;
import org.pecf.testkit.reference.ReferenceComputeSession;

class EvaluatorTest {
  private static final Confidence CONFIDENCE = new Confidence(1, 0.25f);

  private final Fixture fixture = new Fixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  private EvaluationReport evaluate(
      CellField scores, Split split, Part part, CandidatePolicy policy, Integer... cutoffs) {
    GridShape shape = new GridShape(split.training().users(), split.training().items());
    try (ComputeSession session = new ReferenceComputeSession(shape, fixture.allocator)) {
      return Evaluator.evaluate(
          scores,
          split.part(part),
          Metrics.of(new EvaluationRequest(List.of(cutoffs), policy)),
          CONFIDENCE,
          session,
          () -> false);
    }
  }

  /** User 0 has hits at places 1 and 3, user 1 nothing held out, user 2 only ties. */
  private static final int[][] SMALL = {
    {0, -1, 2, -1, 2, -1},
    {-1, 0, -1, 1, -1, -1},
    {-1, -1, -1, -1, -1, 2},
  };

  private static final float[][] SMALL_SCORES = {
    {1, 0.5f, 0.75f, 0.125f, 0.25f, 0},
    {0, 1, 0, 0, 0, 0},
    {0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f},
  };

  @Test
  void metricsEqualThoseComputedByHand() {
    EvaluationReport report =
        evaluate(
            fixture.scores(SMALL_SCORES),
            fixture.split(SMALL, Optional.empty()),
            Part.TEST,
            CandidatePolicy.ALL_BUT_TRAINING,
            3,
            1);

    double log3 = Math.log(3) / Math.log(2);
    Map<String, Double> expected = new TreeMap<>();
    expected.put("recall@1", (0.5 + 0) / 2);
    expected.put("recall@3", (1.0 + 0) / 2);
    expected.put("truncated-recall@1", 0.5);
    expected.put("truncated-recall@3", 0.5);
    expected.put("precision@1", 0.5);
    expected.put("precision@3", 1.0 / 3);
    expected.put("ndcg@1", 0.5);
    expected.put("ndcg@3", (1 + 0.5) / (1 + 1 / log3) / 2);
    expected.put("map@1", 0.5);
    expected.put("map@3", (1 + 2.0 / 3) / 2 / 2);
    expected.put("mrr@1", 0.5);
    expected.put("mrr@3", 0.5);
    expected.put("hit-rate@1", 0.5);
    expected.put("hit-rate@3", 0.5);
    expected.put("coverage@1", 2.0 / 6);
    expected.put("coverage@3", 4.0 / 6);
    // users 0, 1 and 2 in turn; positives of other parts are not counted
    double positives = 0.0625 + 0.5625 + 0.25;
    double zeros = (0.25 + 0.015625) + 0 + 5 * 0.25;
    expected.put("wmse", (positives + 0.25 * zeros) / (3 + 0.25 * (3 + 4 + 5)));
    assertEquals(expected.keySet(), new TreeMap<>(report.named()).keySet());
    expected.forEach((key, value) -> assertEquals(value, report.value(key), 1e-12, key));

    assertEquals(2, report.usersCounted());
    assertEquals(3, report.positives());
    assertArrayEquals(new int[] {0, 2}, report.users());
    assertArrayEquals(new double[] {1, 0}, report.perUser(new MetricKey(MetricKey.RECALL, 3)));
    assertEquals(List.of(3, 1), report.request().cutoffs(), "as they were given");
    assertEquals(
        List.of("recall@3", "recall@1", "truncated-recall@3"),
        report.named().keySet().stream().limit(3).toList());
    assertEquals(9, report.definitions().size());
  }

  /** What was held out for test must not decide which round is the best on validation. */
  @ParameterizedTest
  @EnumSource(names = {"ALL_BUT_KNOWN", "ALL_BUT_TRAINING", "ALL"})
  void validationFiguresDoNotDependOnTestPositives(CandidatePolicy policy) {
    int[][] one = {{0, 1, 2, -1, -1, -1}, {0, -1, -1, 1, 2, 2}};
    int[][] other = {{0, 1, -1, 2, -1, 2}, {0, -1, -1, 1, -1, -1}};
    float[][] scores = {{0.9f, 0.3f, 0.5f, 0.4f, 0.2f, 0.1f}, {0, 0.7f, 0.6f, 0.5f, 0.8f, 0.9f}};
    CellField prediction = fixture.scores(scores);
    assertEquals(
        evaluate(prediction, fixture.split(one, Optional.empty()), Part.VALIDATION, policy, 1, 3)
            .named(),
        evaluate(prediction, fixture.split(other, Optional.empty()), Part.VALIDATION, policy, 1, 3)
            .named());
  }

  @Test
  void aSplitOfAllCellsRanksItsOwnCellsUnlessAskedOtherwise() {
    SplitRule cells = SplitRule.parse("paper");
    SplitRule positives = SplitRule.usual();
    assertEquals("positives:3:1:1", positives.toString());
    assertEquals(CandidatePolicy.PART_CELLS, EvaluationRequest.standard(cells).candidates());
    assertEquals(CandidatePolicy.ALL_BUT_KNOWN, EvaluationRequest.standard(positives).candidates());
    for (CandidatePolicy policy : CandidatePolicy.values()) {
      assertEquals(policy != CandidatePolicy.PART_CELLS, policy.caveat(cells).isPresent());
      assertTrue(policy.caveat(positives).isEmpty());
    }
    assertEquals(
        "split cells:3:1:1; ranked: the part's own cells only",
        EvaluationRequest.standard(cells).protocol(cells));
  }

  @Test
  void tiesAreBrokenByItem() {
    int[][] grid = {{-1, -1, 2, -1}};
    float[][] equal = {{1, 1, 1, 1}};
    EvaluationReport report =
        evaluate(
            fixture.scores(equal),
            fixture.split(grid, Optional.empty()),
            Part.TEST,
            CandidatePolicy.ALL,
            1,
            2,
            3);
    assertEquals(0, report.value("recall@2"));
    assertEquals(1, report.value("recall@3"));
    assertEquals(1.0 / 3, report.value("mrr@3"), 1e-15);
  }

  @Test
  void fewerCandidatesThanTheCutoffCountAsMisses() {
    int[][] grid = {{0, 0, 2, -1}};
    float[][] scores = {{4, 3, 1, 2}};
    EvaluationReport report =
        evaluate(
            fixture.scores(scores),
            fixture.split(grid, Optional.empty()),
            Part.TEST,
            CandidatePolicy.ALL_BUT_TRAINING,
            10);
    assertEquals(1, report.value("recall@10"));
    assertEquals(0.1, report.value("precision@10"), 1e-15);
    assertEquals(0.5, report.value("mrr@10"));
    assertEquals(0.5, report.value("coverage@10"));
  }

  @ParameterizedTest
  @CsvSource({
    "ALL_BUT_TRAINING,TRAINING", "ALL_BUT_TRAINING,VALIDATION", "ALL_BUT_TRAINING,TEST",
    "ALL_BUT_KNOWN,TRAINING", "ALL_BUT_KNOWN,VALIDATION", "ALL_BUT_KNOWN,TEST",
    "PART_CELLS,TRAINING", "PART_CELLS,VALIDATION", "PART_CELLS,TEST",
    "ALL,TRAINING", "ALL,VALIDATION", "ALL,TEST"
  })
  void equalsTheNaiveReferenceOnCellSplits(CandidatePolicy policy, Part part) {
    CellPartition partition = new CellPartition(7, 2, 1, 1);
    compareWithReference(policy, part, Optional.of(partition));
  }

  @ParameterizedTest
  @EnumSource(names = "PART_CELLS", mode = EnumSource.Mode.EXCLUDE)
  void equalsTheNaiveReferenceOnSplitsOfPositives(CandidatePolicy policy) {
    compareWithReference(policy, Part.TEST, Optional.empty());
  }

  private void compareWithReference(
      CandidatePolicy policy, Part part, Optional<CellPartition> partition) {
    Random random = new Random(17);
    int[][] grid = new int[40][30];
    float[][] scores = new float[40][30];
    for (int user = 0; user < 40; user++) {
      for (int item = 0; item < 30; item++) {
        boolean positive = random.nextInt(10) < user % 4;
        int number = random.nextInt(3);
        int cellUser = user;
        int cellItem = item;
        grid[user][item] =
            positive
                ? partition.map(p -> p.partOf(cellUser, cellItem).ordinal()).orElse(number)
                : -1;
        scores[user][item] = random.nextInt(12) / 12f;
      }
    }
    EvaluationReport report =
        evaluate(
            fixture.scores(scores), fixture.split(grid, partition), part, policy, 1, 5, 10, 50);
    Map<String, Double> expected =
        NaiveMetrics.of(grid, scores, partition, part, policy, CONFIDENCE, 1, 5, 10, 50);
    assertEquals(expected.size(), report.values().size());
    expected.forEach((key, value) -> assertEquals(value, report.value(key), 1e-6, key));
  }

  @Test
  void permutingUsersAndItemsPermutesValuesOfUsersAndKeepsAverages() {
    Random random = new Random(3);
    int users = 25;
    int items = 20;
    List<Integer> distinct = new ArrayList<>(IntStream.range(0, users * items).boxed().toList());
    Collections.shuffle(distinct, random);
    List<Integer> newUser = new ArrayList<>(IntStream.range(0, users).boxed().toList());
    Collections.shuffle(newUser, random);
    List<Integer> newItem = new ArrayList<>(IntStream.range(0, items).boxed().toList());
    Collections.shuffle(newItem, random);
    int[][] grid = new int[users][items];
    int[][] permutedGrid = new int[users][items];
    float[][] scores = new float[users][items];
    float[][] permutedScores = new float[users][items];
    for (int user = 0; user < users; user++) {
      for (int item = 0; item < items; item++) {
        grid[user][item] = user % 5 == 0 ? -1 : random.nextInt(6) - 3;
        scores[user][item] = distinct.get(user * items + item) / (float) (users * items);
        permutedGrid[newUser.get(user)][newItem.get(item)] = grid[user][item];
        permutedScores[newUser.get(user)][newItem.get(item)] = scores[user][item];
      }
    }
    EvaluationReport plain = evaluateKnown(grid, scores);
    EvaluationReport permuted = evaluateKnown(permutedGrid, permutedScores);

    plain
        .values()
        .forEach((key, value) -> assertEquals(value, permuted.value(key), 1e-7, key.toString()));
    MetricKey key = new MetricKey(MetricKey.NDCG, 5);
    Map<Integer, Double> byUser = new TreeMap<>();
    for (int row = 0; row < permuted.usersCounted(); row++) {
      byUser.put(permuted.users()[row], permuted.perUser(key)[row]);
    }
    assertEquals(plain.usersCounted(), byUser.size());
    for (int row = 0; row < plain.usersCounted(); row++) {
      assertEquals(byUser.get(newUser.get(plain.users()[row])), plain.perUser(key)[row]);
    }
    assertTrue(plain.value("ndcg@5") > 0);
  }

  private EvaluationReport evaluateKnown(int[][] grid, float[][] scores) {
    return evaluate(
        fixture.scores(scores),
        fixture.split(grid, Optional.empty()),
        Part.TEST,
        CandidatePolicy.ALL_BUT_KNOWN,
        1,
        5);
  }

  @Test
  void usersWithoutHeldOutPositivesAreNotRankedInLongRuns() {
    int[][] grid = new int[2000][3];
    for (int[] row : grid) {
      Arrays.fill(row, -1);
    }
    grid[10][1] = 2;
    grid[12][2] = 2;
    grid[1500][0] = 2;
    Recorder recorder =
        new Recorder(new ReferenceComputeSession(new GridShape(2000, 3), fixture.allocator));
    EvaluationReport report = record(recorder, grid, 2);
    assertEquals(List.of(new Ranked(10, 3), new Ranked(1500, 1)), recorder.ranked);
    assertArrayEquals(new int[] {10, 12, 1500}, report.users());
  }

  @Test
  void onlyListsOfUsersWithHeldOutPositivesAreNeeded() {
    int[][] grid = new int[40][3];
    for (int[] row : grid) {
      Arrays.fill(row, -1);
    }
    grid[10][1] = 2;
    grid[12][2] = 2;
    grid[31][0] = 2;
    Recorder recorder =
        new Recorder(new ReferenceComputeSession(new GridShape(40, 3), fixture.allocator));
    record(recorder, grid, 2);
    assertEquals(Set.of(10, 12, 31), recorder.needed);
  }

  /** Return a grid of 30 users, the even of whom have something held out. */
  private static int[][] halfHeldOut() {
    Random random = new Random(4);
    int[][] grid = new int[30][20];
    for (int user = 0; user < grid.length; user++) {
      for (int item = 0; item < 20; item++) {
        grid[user][item] = random.nextInt(4) > 0 ? -1 : user % 2 == 0 ? 2 : 0;
      }
      grid[user][user % 20] = user % 2 == 0 ? 2 : 0;
    }
    return grid;
  }

  private EvaluationReport sampled(Recorder recorder, UserSample sample) {
    Random random = new Random(5);
    float[][] scores = new float[30][20];
    for (float[] row : scores) {
      for (int item = 0; item < row.length; item++) {
        row[item] = random.nextFloat();
      }
    }
    return Evaluator.evaluate(
        fixture.scores(scores),
        fixture.split(halfHeldOut(), Optional.empty()).part(Part.TEST),
        Metrics.of(new EvaluationRequest(List.of(3, 7), CandidatePolicy.ALL, sample, List.of())),
        CONFIDENCE,
        recorder,
        () -> false);
  }

  private Recorder recorder() {
    return new Recorder(new ReferenceComputeSession(new GridShape(30, 20), fixture.allocator));
  }

  @Test
  void aSampleHasTheValuesOfItsUsersAndTheirStandardErrors() {
    EvaluationReport all = sampled(recorder(), UserSample.ALL);
    Recorder recorder = recorder();
    EvaluationReport some = sampled(recorder, new UserSample(6, 9));
    EvaluationReport.SampledUsers sample = some.sampled().orElseThrow();
    assertEquals("6 of 15 users", sample.toString());
    assertEquals(6, some.usersCounted());
    int[] users = some.users();
    assertEquals(Arrays.stream(users).boxed().collect(Collectors.toSet()), recorder.needed);
    for (MetricKey key : some.values().keySet()) {
      if (!key.ofUsers()) {
        continue;
      }
      double[] values = some.perUser(key);
      double sum = 0;
      for (int row = 0; row < users.length; row++) {
        int inAll = Arrays.binarySearch(all.users(), users[row]);
        assertEquals(all.perUser(key)[inAll], values[row], key + " of user " + users[row]);
        sum += values[row];
      }
      double mean = sum / 6;
      double squares = Arrays.stream(values).map(value -> Math.pow(value - mean, 2)).sum();
      assertEquals(mean, some.value(key), 1e-15);
      assertEquals(
          Math.sqrt(9.0 / 15 * squares / 5 / 6),
          sample.standardErrors().get(key.toString()),
          1e-15,
          key.toString());
    }
    assertEquals(14, sample.standardErrors().size());
    assertTrue(sample.standardErrors().get("recall@3") > 0);
    assertEquals(all.value("wmse"), some.value("wmse"), "over all cells");
  }

  @Test
  void aSampleOfAsManyUsersAsThereAreIsTheWholeEvaluation() {
    EvaluationReport all = sampled(recorder(), UserSample.ALL);
    for (int most : new int[] {15, 16, 1000}) {
      EvaluationReport same = sampled(recorder(), new UserSample(most, 2));
      assertEquals(all.values(), same.values());
      assertArrayEquals(all.users(), same.users());
      assertTrue(same.sampled().isEmpty());
    }
    assertTrue(all.sampled().isEmpty());
  }

  @Test
  void blocksAreBoundedByTheMemoryOfTheirLists() {
    int items = 60_000;
    int[][] grid = new int[30][items];
    for (int user = 0; user < 30; user++) {
      Arrays.fill(grid[user], -1);
      grid[user][items - 1] = 2;
    }
    Recorder recorder =
        new Recorder(new ReferenceComputeSession(new GridShape(30, items), fixture.allocator));
    EvaluationReport report = record(recorder, grid, items);
    assertTrue(recorder.ranked.size() > 1, recorder.ranked.toString());
    assertEquals(30, recorder.ranked.stream().mapToInt(Ranked::users).sum());
    assertEquals(30, report.usersCounted());
    assertTrue(
        recorder.ranked.stream().allMatch(block -> block.users() * items * 8L <= 8 << 20),
        recorder.ranked.toString());
  }

  private EvaluationReport record(Recorder recorder, int[][] grid, int cutoff) {
    return Evaluator.evaluate(
        fixture.zeroScores(new GridShape(grid.length, grid[0].length)),
        fixture.split(grid, Optional.empty()).part(Part.TEST),
        Metrics.of(new EvaluationRequest(List.of(cutoff), CandidatePolicy.ALL)),
        CONFIDENCE,
        recorder,
        () -> false);
  }

  private record Ranked(int firstUser, int users) {}

  /** Remember what was ranked. */
  private record Recorder(ComputeSession session, List<Ranked> ranked, Set<Integer> needed)
      implements ComputeSession {
    Recorder(ComputeSession session) {
      this(session, new ArrayList<>(), new HashSet<>());
    }

    @Override
    public FieldKernels fields() {
      return session.fields();
    }

    @Override
    public MatrixKernels matrices() {
      return session.matrices();
    }

    @Override
    public LeastSquares leastSquares(LeastSquaresRequest request) {
      return session.leastSquares(request);
    }

    @Override
    public PairwiseSgd pairwise(PairwiseRequest request) {
      return session.pairwise(request);
    }

    @Override
    public RankedItems rank(RankingRequest request) {
      ranked.add(new Ranked(request.firstUser(), request.users()));
      IntStream.range(request.firstUser(), request.firstUser() + request.users())
          .filter(request::needs)
          .forEach(needed::add);
      return session.rank(request);
    }

    @Override
    public void close() {
      session.close();
    }
  }

  @Test
  void cancellationEndsTheEvaluation() {
    Split split = fixture.split(SMALL, Optional.empty());
    CellField scores = fixture.scores(SMALL_SCORES);
    ComputeSession session = new ReferenceComputeSession(new GridShape(3, 6), fixture.allocator);
    PecfException e =
        assertThrows(
            PecfException.class,
            () ->
                Evaluator.evaluate(
                    scores,
                    split.part(Part.TEST),
                    Metrics.of(new EvaluationRequest(List.of(1), CandidatePolicy.ALL)),
                    CONFIDENCE,
                    session,
                    () -> true));
    assertEquals(ErrorCode.CANCELLED, e.code());
  }

  @Test
  void anEmptyPartIsAnErrorThatNamesIt() {
    int[][] grid = {{0, 2}};
    PecfException e =
        assertThrows(
            PecfException.class,
            () ->
                evaluate(
                    fixture.scores(new float[1][2]),
                    fixture.split(grid, Optional.empty()),
                    Part.VALIDATION,
                    CandidatePolicy.ALL,
                    1));
    assertEquals(ErrorCode.BAD_DATA, e.code());
    assertTrue(e.getMessage().startsWith("The validation part holds no positives"));
  }

  @Test
  void rankingThePartsCellsNeedsAPartition() {
    PecfException e =
        assertThrows(
            PecfException.class,
            () ->
                evaluate(
                    fixture.scores(SMALL_SCORES),
                    fixture.split(SMALL, Optional.empty()),
                    Part.TEST,
                    CandidatePolicy.PART_CELLS,
                    1));
    assertEquals(ErrorCode.BAD_OPTION, e.code());
    assertTrue(e.getMessage().contains("cells:3:1:1"));
  }

  @Test
  void predictionsThatAreNotFiniteAreAnError() {
    float[][] scores = {{Float.NaN, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}};
    PecfException e =
        assertThrows(
            PecfException.class,
            () ->
                evaluate(
                    fixture.scores(scores),
                    fixture.split(SMALL, Optional.empty()),
                    Part.TEST,
                    CandidatePolicy.ALL,
                    1));
    assertTrue(e.getMessage().contains("diverged"));
  }

  @Test
  void figuresNotMeasuredAreNotMadeUp() {
    EvaluationReport report =
        evaluate(
            fixture.scores(SMALL_SCORES),
            fixture.split(SMALL, Optional.empty()),
            Part.TEST,
            CandidatePolicy.ALL,
            2);
    assertThrows(IllegalArgumentException.class, () -> report.value("recall@3"));
    assertThrows(
        IllegalArgumentException.class, () -> report.perUser(MetricKey.parse("coverage@2")));
    assertThrows(
        UnsupportedOperationException.class,
        () -> report.values().put(MetricKey.parse("wmse"), 0.0));
  }
}
