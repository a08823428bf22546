package org.pecf.engine.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.pecf.engine.data.Ratings.row;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.data.IdKind;
import org.pecf.api.data.Part;
import org.pecf.api.data.RatingBatch;
import org.pecf.api.data.RatingSchema;
import org.pecf.api.data.RatingSink;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Parallelism;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.RunListener;
import org.pecf.testkit.fixture.ThreadedParallelism;

class DatasetBuilderTest {
  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingLeaks() {
    assertEquals(0, allocator.getAllocatedMemory());
    allocator.close();
  }

  private static Ratings full(Ratings.Row... rows) {
    return new Ratings(Ratings.FULL, List.of(rows));
  }

  private static DatasetRules rules(String positive, DuplicatePolicy duplicates) {
    return new DatasetRules(PositiveRule.parse(positive), duplicates, 0, 0);
  }

  @Test
  void smallDatasetIsAsComputedByHand() {
    Ratings ratings =
        full(row(30, 7, 5, 100), row(10, 9, 5, 50), row(10, 7, 4, 60), row(20, 8, 1, 70));
    try (Dataset dataset = ratings.build(allocator, rules(">=4", DuplicatePolicy.LAST))) {
      assertEquals(2, dataset.shape().users());
      assertEquals(2, dataset.shape().items());
      assertEquals(List.of("10 7", "10 9", "30 7"), Ratings.cells(dataset));
      assertEquals(60, dataset.times().get().get(0));
      assertEquals(50, dataset.times().get().get(1));
      assertEquals(100, dataset.times().get().get(2));
      assertTrue(dataset.parts().isEmpty());
      DatasetSummary summary = dataset.summary();
      assertEquals(
          new DatasetSummary(
              2,
              2,
              3,
              4,
              0,
              0,
              1,
              0,
              new DatasetSummary.Spread(1, 1.5, 2),
              new DatasetSummary.Spread(1, 1.5, 2),
              IdKind.INTEGER,
              IdKind.INTEGER,
              new TreeMap<>(Map.of(1f, 1L, 4f, 1L, 5f, 2L)),
              Optional.of(new DatasetSummary.Span(50, 100)),
              List.of()),
          summary);
      assertEquals(0.75, summary.density());
    }
  }

  @Test
  void idsAreKeptExactlyAndAscendingByNumber() {
    Ratings ratings =
        full(
            row(Long.MAX_VALUE, 1, 1, 0),
            row(Long.MIN_VALUE, 1, 1, 0),
            row(-1, 1, 1, 0),
            row(0, 1, 1, 0),
            row(7, 1, 1, 0));
    try (Dataset dataset = ratings.build(allocator, DatasetRules.all())) {
      long[] expected = {Long.MIN_VALUE, -1, 0, 7, Long.MAX_VALUE};
      for (int index = 0; index < expected.length; index++) {
        assertEquals(expected[index], dataset.users().integerAt(index));
        assertEquals(index, dataset.users().find(expected[index]).getAsInt());
        assertEquals(index, dataset.users().indexOf(Long.toString(expected[index])));
      }
    }
  }

  @Test
  void textsAreKeptExactlyAndAscendingByTheirBytes() {
    // By bytes of UTF-8; U+1F600 sorts below U+FF5E by UTF-16 but above it by bytes.
    List<String> expected =
        List.of(
            "",
            " 7",
            "+7",
            "007",
            "7",
            "7 ",
            "a",
            "a\u0000",
            "abcdefgh",
            "abcdefghi",
            "é",
            "～",
            "😀");
    List<String> shuffled = new ArrayList<>(expected);
    Collections.shuffle(shuffled, new Random(1));
    Ratings ratings =
        new Ratings(Ratings.TEXTS, shuffled.stream().map(id -> row(id, "x" + id)).toList());
    try (Dataset dataset = ratings.build(allocator, DatasetRules.all())) {
      assertEquals(expected.size(), dataset.users().size());
      for (int index = 0; index < expected.size(); index++) {
        assertEquals(expected.get(index), dataset.users().textAt(index));
        assertEquals(index, dataset.users().find(expected.get(index)).getAsInt());
        assertEquals(index, dataset.users().indexOf(expected.get(index)));
      }
      assertTrue(dataset.users().find(7).isEmpty());
      assertTrue(dataset.users().find("8").isEmpty());
      assertTrue(dataset.times().isEmpty());
      assertTrue(dataset.summary().ratings().isEmpty());
    }
  }

  @Test
  void onlyIdMayBeTheEmptyText() {
    try (Dataset dataset =
        new Ratings(Ratings.TEXTS, List.of(row("", ""))).build(allocator, DatasetRules.all())) {
      assertEquals("", dataset.users().textAt(0));
      assertEquals(0, dataset.items().indexOf(""));
      assertThrows(PecfException.class, () -> dataset.items().indexOf("a"));
    }
  }

  @Test
  void numbersAndTextsThatLookAlikeHaveDifferentFingerprints() {
    RatingSchema numbers = new RatingSchema(IdKind.INTEGER, IdKind.INTEGER, false, false);
    try (Dataset one =
            new Ratings(numbers, List.of(new Ratings.Row(7L, 8L, 0, 0)))
                .build(allocator, DatasetRules.all());
        Dataset other =
            new Ratings(Ratings.TEXTS, List.of(row("7", "8")))
                .build(allocator, DatasetRules.all())) {
      assertEquals(Ratings.cells(one), Ratings.cells(other));
      assertNotEquals(one.fingerprint(), other.fingerprint());
    }
  }

  @Test
  void fingerprintSeesEveryKindOfDifference() {
    Set<String> fingerprints = new HashSet<>();
    List<Ratings> different =
        List.of(
            full(row(1, 1, 5, 1), row(2, 2, 5, 1)),
            full(row(1, 2, 5, 1), row(2, 1, 5, 1)),
            full(row(1, 1, 5, 1), row(3, 2, 5, 1)),
            full(row(1, 1, 5, 1), row(2, 2, 5, 2)),
            full(row(1, 1, 5, 1), row(2, 2, 5, 1), row(2, 1, 5, 1)),
            new Ratings(Ratings.TEXTS, List.of(row("ab", "c"), row("d", "e"))),
            new Ratings(Ratings.TEXTS, List.of(row("a", "c"), row("bd", "e"))));
    for (Ratings ratings : different) {
      try (Dataset dataset = ratings.build(allocator, DatasetRules.all())) {
        assertTrue(dataset.fingerprint().matches("[0-9a-f]{64}"));
        fingerprints.add(dataset.fingerprint());
      }
    }
    assertEquals(different.size(), fingerprints.size());
  }

  @Test
  void fingerprintIsKnownAfterTheEndOnlyIfAskedForBefore() {
    Dataset asked = full(row(1, 1, 5, 1)).build(allocator, DatasetRules.all());
    String fingerprint = asked.fingerprint();
    asked.close();
    assertEquals(fingerprint, asked.fingerprint());
    Dataset other = full(row(1, 1, 5, 1)).build(allocator, DatasetRules.all());
    other.close();
    assertThrows(IllegalStateException.class, other::fingerprint);
  }

  @Test
  void fingerprintStaysTheSameAcrossReleases() {
    try (Dataset dataset =
        full(row(30, 7, 5, 100), row(10, 9, 5, 50)).build(allocator, DatasetRules.all())) {
      // SHA-256 of the canonical form, computed apart from this code.
      assertEquals(
          "e51229a6c449e2d591ac60b8e42921c33744cf2dfa6b15f29ae93f3b32151df8",
          dataset.fingerprint());
    }
  }

  @ParameterizedTest
  @EnumSource(
      names = {"LAST", "FIRST", "HIGHEST"},
      value = DuplicatePolicy.class)
  void ratingThatCountsDecidesWhetherTheCellIsPositive(DuplicatePolicy policy) {
    Ratings ratings =
        full(
            row(1, 1, 3, 10),
            row(1, 1, 5, 20),
            row(1, 1, 1, 30),
            row(1, 2, 5, 40),
            row(2, 1, 5, 50),
            row(2, 1, 2, 60),
            row(2, 2, 1, 70),
            row(2, 2, 4, 80));
    List<String> expected =
        switch (policy) {
          case LAST -> List.of("1 2", "2 2");
          case FIRST -> List.of("1 2", "2 1");
          default -> List.of("1 1", "1 2", "2 1", "2 2");
        };
    try (Dataset dataset = ratings.build(allocator, rules(">=4", policy))) {
      assertEquals(expected, Ratings.cells(dataset));
      assertEquals(4, dataset.summary().droppedAsDuplicates());
      assertEquals(4 - expected.size(), dataset.summary().droppedByRule());
      if (policy == DuplicatePolicy.HIGHEST) {
        assertEquals(20, dataset.times().get().get(0));
      }
    }
  }

  @Test
  void ratingsThatAreNotPositiveAreKnownOfTheUsersAndItemsThatRemain() {
    Ratings ratings =
        full(
            row(1, 4, 1, 5),
            row(1, 3, 5, 10),
            row(1, 2, 3, 10),
            row(1, 1, 5, 20),
            row(2, 1, 2, 30),
            row(2, 2, 5, 35),
            row(2, 2, 1, 36),
            row(3, 1, 5, 40),
            row(3, 3, 1, 41),
            row(3, 2, 4, 50),
            row(4, 1, 5, 60),
            row(4, 3, 3, 60));
    try (Dataset dataset = ratings.build(allocator, rules(">=4", DuplicatePolicy.LAST))) {
      // User 2 and item 4 have no positive.
      assertEquals(List.of("1 1", "1 3", "3 1", "3 2", "4 1"), Ratings.cells(dataset));
      SparseCells negatives = dataset.negatives().orElseThrow();
      List<String> cells = new ArrayList<>();
      for (int user = 0; user < negatives.users(); user++) {
        for (int k = negatives.userStart(user); k < negatives.userStart(user + 1); k++) {
          cells.add(
              dataset.users().textAt(user) + " " + dataset.items().textAt(negatives.itemAt(k)));
        }
      }
      assertEquals(List.of("1 2", "3 3", "4 3"), cells);
      assertEquals(dataset.shape(), new GridShape(negatives.users(), negatives.items()));
    }
    try (Dataset dataset = ratings.build(allocator, DatasetRules.all())) {
      assertTrue(dataset.negatives().isEmpty());
    }
  }

  @Test
  void amongEquallyHighRatingsTheLatestCounts() {
    for (List<Ratings.Row> rows :
        List.of(
            List.of(row(1, 1, 5, 20), row(1, 1, 5, 10)),
            List.of(row(1, 1, 5, 10), row(1, 1, 5, 20)))) {
      try (Dataset dataset =
          new Ratings(Ratings.FULL, rows).build(allocator, rules("all", DuplicatePolicy.HIGHEST))) {
        assertEquals(20, dataset.times().get().get(0));
      }
    }
  }

  @Test
  void rejectedDuplicateIsNamedByItsIds() {
    PecfException problem =
        assertThrows(
            PecfException.class,
            () ->
                new Ratings(
                        Ratings.TEXTS,
                        List.of(row("ann", "tea"), row("bob", "jam"), row("bob", "jam")))
                    .build(
                        allocator,
                        new DatasetRules(PositiveRule.all(), DuplicatePolicy.REJECT, 0, 0)));
    assertEquals(ErrorCode.BAD_DATA, problem.code());
    assertTrue(problem.getMessage().contains("'bob'"), problem.getMessage());
    assertTrue(problem.getMessage().contains("'jam'"), problem.getMessage());
  }

  @Test
  void ruleWithoutValuesIsRefused() {
    PecfException problem =
        assertThrows(
            PecfException.class,
            () ->
                new Ratings(Ratings.TEXTS, List.of(row("a", "b")))
                    .build(allocator, rules(">=4", DuplicatePolicy.LAST)));
    assertEquals(ErrorCode.BAD_OPTION, problem.code());
    assertTrue(problem.getMessage().contains("Leave the rule out"), problem.getMessage());
  }

  @Test
  void whatLeavesNothingIsSaid() {
    Ratings ratings = full(row(1, 1, 1, 0), row(1, 1, 2, 0), row(2, 2, 3, 0));
    PecfException byRule =
        assertThrows(
            PecfException.class,
            () -> ratings.build(allocator, rules(">=5", DuplicatePolicy.LAST)));
    assertEquals(
        "Of 3 ratings, 1 were dropped as duplicates, 2 by the rule '>=5.0' for positives, and none"
            + " remains. Set the rule lower; the values are [1.0, 2.0, 3.0].",
        byRule.getMessage());
    PecfException byRarity =
        assertThrows(
            PecfException.class,
            () ->
                ratings.build(
                    allocator,
                    new DatasetRules(PositiveRule.parse(">2"), DuplicatePolicy.LAST, 3, 2)));
    assertTrue(
        byRarity.getMessage().contains("the remaining 1 because users need at least 3"),
        byRarity.getMessage());
  }

  @Test
  void sourceWithoutRatingsIsRefused() {
    try (DatasetBuilder builder = new DatasetBuilder(Ratings.context(allocator))) {
      builder.sink(Part.TRAINING, "empty.csv");
      PecfException problem =
          assertThrows(PecfException.class, () -> builder.build(DatasetRules.all()));
      assertTrue(problem.getMessage().startsWith("empty.csv holds no ratings"));
    }
    try (DatasetBuilder builder = new DatasetBuilder(Ratings.context(allocator))) {
      assertThrows(PecfException.class, () -> builder.build(DatasetRules.all()));
    }
  }

  @Test
  void partsShareTheSpaceOfIds() {
    try (DatasetBuilder builder = new DatasetBuilder(Ratings.context(allocator))) {
      full(row(1, 1, 1, 0), row(2, 5, 1, 0)).publish(builder.sink(Part.TRAINING, "a"), 1);
      full(row(1, 3, 1, 0)).publish(builder.sink(Part.VALIDATION, "b"), 1);
      full(row(1, 2, 1, 0), row(2, 5, 1, 0), row(0, 5, 1, 0))
          .publish(builder.sink(Part.TEST, "c"), 2);
      // User 2 rates item 5 in training too; the last rating counts, and that is the test part's.
      try (Dataset dataset = builder.build(DatasetRules.all())) {
        assertEquals(List.of("0 5", "1 1", "1 2", "1 3", "2 5"), Ratings.cells(dataset));
        int[] parts = {2, 0, 2, 1, 2};
        for (int k = 0; k < parts.length; k++) {
          assertEquals(parts[k], dataset.parts().get().get(k));
        }
        assertEquals(List.of(1, 1, 3), dataset.summary().parts());
        assertEquals(1, dataset.summary().acrossParts());
      }
    }
  }

  @Test
  void partThatLosesAllPositivesIsNamed() {
    try (DatasetBuilder builder = new DatasetBuilder(Ratings.context(allocator))) {
      full(row(1, 1, 5, 0)).publish(builder.sink(Part.TRAINING, "a.csv"), 1);
      full(row(1, 2, 1, 0)).publish(builder.sink(Part.TEST, "b.csv"), 1);
      PecfException problem =
          assertThrows(
              PecfException.class, () -> builder.build(rules(">=4", DuplicatePolicy.LAST)));
      assertTrue(problem.getMessage().startsWith("No positive of b.csv remains"));
    }
  }

  @Test
  void partsWithOtherKindsOfIdsAreRefused() {
    try (DatasetBuilder builder = new DatasetBuilder(Ratings.context(allocator))) {
      full(row(1, 1, 5, 0)).publish(builder.sink(Part.TRAINING, "a.csv"), 1);
      RatingSink test = builder.sink(Part.TEST, "b.csv");
      PecfException problem =
          assertThrows(
              PecfException.class,
              () -> new Ratings(Ratings.TEXTS, List.of(row("a", "b"))).publish(test, 1));
      assertEquals(ErrorCode.BAD_DATA, problem.code());
      assertTrue(problem.getMessage().contains("texts in b.csv"), problem.getMessage());
    }
  }

  @Test
  void faultsOfLoadersAreNamed() {
    try (DatasetBuilder builder = new DatasetBuilder(Ratings.context(allocator))) {
      full(row(1, 1, 5, 0)).publish(builder, 1);
      assertFault(() -> full(row(1, 1, Float.NaN, 0)).publish(builder, 1), "not a number");
      RatingBatch missing = builder.batch(Ratings.FULL, 1);
      assertFault(() -> builder.publish(5, missing, 1), "has no user at 0");
      RatingBatch tooFew = builder.batch(Ratings.FULL, 1);
      assertFault(() -> builder.publish(5, tooFew, 1_000_000), "cannot");
      RatingBatch other = builder.batch(Ratings.TEXTS, 1);
      assertFault(() -> builder.publish(5, other, 0), "different schemas");
      full(row(1, 1, 5, 0)).publish(builder, 1);
      assertFault(() -> builder.build(DatasetRules.all()), "two batches with the ordinal 0");
    }
  }

  private static void assertFault(Runnable work, String words) {
    PecfException problem = assertThrows(PecfException.class, work::run);
    assertEquals(ErrorCode.PLUGIN_FAULT, problem.code());
    assertTrue(problem.getMessage().contains(words), problem.getMessage());
  }

  @Test
  void cancellationEndsTheWork() {
    RunContext cancelled =
        new RunContext(allocator, Ratings.oneThread(), () -> true, RunListener.none());
    try (DatasetBuilder builder = new DatasetBuilder(cancelled)) {
      PecfException problem =
          assertThrows(PecfException.class, () -> full(row(1, 1, 5, 0)).publish(builder, 1));
      assertEquals(ErrorCode.CANCELLED, problem.code());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void memoryIsBalancedWhereverItRunsOut(boolean texts) {
    Ratings ratings = random(new Random(3), 600, 40, 40, texts);
    DatasetRules rules = new DatasetRules(PositiveRule.all(), DuplicatePolicy.LAST, 2, 2);
    int failures = 0;
    boolean succeeded = false;
    for (long limit = 1024; !succeeded; limit += 1024) {
      try (BufferAllocator narrow = allocator.newChildAllocator("narrow", 0, limit)) {
        try (DatasetBuilder builder = new DatasetBuilder(Ratings.context(narrow))) {
          ratings.publish(builder.sink(Part.TRAINING, "a"), 100);
          random(new Random(4), 100, 40, 40, texts).publish(builder.sink(Part.TEST, "b"), 100);
          builder.build(rules).close();
          succeeded = true;
        } catch (OutOfMemoryException e) {
          // Thrown where this test, in the role of a loader, fills a batch.
          failures++;
        } catch (PecfException e) {
          assertEquals(ErrorCode.RESOURCES, e.code());
          failures++;
        }
        assertEquals(0, narrow.getAllocatedMemory());
      }
    }
    assertTrue(failures > 10, "only " + failures);
  }

  static Ratings random(Random random, int count, int users, int items, boolean texts) {
    RatingSchema schema =
        new RatingSchema(
            texts ? IdKind.TEXT : IdKind.INTEGER, texts ? IdKind.TEXT : IdKind.INTEGER, true, true);
    List<Ratings.Row> rows = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      long user = random.nextInt(users) * 0x9e3779b97f4a7c15L;
      long item = -3L * random.nextInt(items);
      rows.add(
          new Ratings.Row(
              texts ? (Object) Long.toString(user, 36) : (Object) user,
              texts ? (Object) ("i" + item) : (Object) item,
              1 + random.nextInt(5),
              random.nextInt(50)));
    }
    return new Ratings(schema, rows);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void randomDataAgreesWithTheNaiveWay(int seed) {
    Random random = new Random(seed);
    boolean texts = random.nextBoolean();
    Ratings ratings =
        random(
            random,
            1 + random.nextInt(3000),
            1 + random.nextInt(300),
            1 + random.nextInt(90),
            texts);
    for (DuplicatePolicy policy :
        List.of(DuplicatePolicy.LAST, DuplicatePolicy.FIRST, DuplicatePolicy.HIGHEST)) {
      DatasetRules rules =
          new DatasetRules(
              PositiveRule.parse(">=" + (1 + random.nextInt(5))),
              policy,
              random.nextInt(6),
              random.nextInt(6));
      Map<String, Ratings.Row> expected = naive(ratings, rules);
      if (expected.isEmpty()) {
        assertThrows(PecfException.class, () -> ratings.build(allocator, rules));
        continue;
      }
      try (Dataset dataset = ratings.build(allocator, rules)) {
        List<String> cells = Ratings.cells(dataset);
        assertEquals(expected.keySet(), new HashSet<>(cells));
        assertEquals(expected.size(), cells.size());
        for (int k = 0; k < cells.size(); k++) {
          assertEquals(expected.get(cells.get(k)).time(), dataset.times().get().get(k));
        }
        assertEquals(ids(expected, true), texts(dataset.users()));
        assertEquals(ids(expected, false), texts(dataset.items()));
        DatasetSummary summary = dataset.summary();
        assertEquals(
            summary.ratingsRead(),
            summary.positives()
                + summary.droppedAsDuplicates()
                + summary.droppedByRule()
                + summary.droppedByRarity());
      }
    }
  }

  private static List<String> texts(IdMap ids) {
    List<String> texts = new ArrayList<>();
    for (int index = 0; index < ids.size(); index++) {
      texts.add(ids.textAt(index));
    }
    return texts;
  }

  /** Return the ids in ascending order; the texts of these tests are ASCII. */
  private static List<String> ids(Map<String, Ratings.Row> cells, boolean users) {
    Comparator<Object> order =
        (left, right) ->
            left instanceof Long number
                ? Long.compare(number, (Long) right)
                : ((String) left).compareTo((String) right);
    Set<Object> ids = new TreeSet<>(order);
    cells.values().forEach(row -> ids.add(users ? row.user() : row.item()));
    return ids.stream().map(Object::toString).toList();
  }

  /** Return the positives as "user item", found in the slow, obvious way. */
  private static Map<String, Ratings.Row> naive(Ratings ratings, DatasetRules rules) {
    Map<String, Ratings.Row> cells = new LinkedHashMap<>();
    for (Ratings.Row row : ratings.rows()) {
      cells.merge(
          row.user() + " " + row.item(),
          row,
          (old, late) ->
              switch (rules.duplicates()) {
                case FIRST -> old;
                case HIGHEST ->
                    late.rating() > old.rating()
                            || late.rating() == old.rating() && late.time() >= old.time()
                        ? late
                        : old;
                default -> late;
              });
    }
    cells.values().removeIf(row -> !rules.positive().accepts(row.rating()));
    boolean changed = true;
    while (changed) {
      Map<Object, Integer> users = new LinkedHashMap<>();
      Map<Object, Integer> items = new LinkedHashMap<>();
      for (Ratings.Row row : cells.values()) {
        users.merge(row.user(), 1, Integer::sum);
        items.merge(row.item(), 1, Integer::sum);
      }
      changed =
          cells
              .values()
              .removeIf(
                  row ->
                      users.get(row.user()) < rules.minUser()
                          || items.get(row.item()) < rules.minItem());
    }
    return cells;
  }

  @Test
  void orderOfRowsSizeOfBatchesAndThreadsDoNotMatter() {
    Ratings ratings = random(new Random(9), 4000, 200, 100, true);
    DatasetRules rules = new DatasetRules(PositiveRule.parse(">=3"), DuplicatePolicy.HIGHEST, 3, 3);
    Parallelism pool = new ThreadedParallelism(4);
    try (Dataset expected = ratings.build(allocator, rules)) {
      for (int attempt = 0; attempt < 4; attempt++) {
        List<Ratings.Row> rows = new ArrayList<>(ratings.rows());
        Collections.shuffle(rows, new Random(attempt));
        Ratings shuffled = new Ratings(ratings.schema(), rows);
        int batch = 50 + 37 * attempt;
        int batches = (rows.size() + batch - 1) / batch;
        RunContext context = new RunContext(allocator, pool, () -> false, RunListener.none());
        try (DatasetBuilder builder = new DatasetBuilder(context)) {
          pool.forEach(
              batches,
              (index, worker) ->
                  shuffled.publish(
                      builder, index * batch, Math.min(rows.size(), (index + 1) * batch)));
          try (Dataset dataset = builder.build(rules)) {
            assertEquals(expected.fingerprint(), dataset.fingerprint());
            assertEquals(Ratings.cells(expected), Ratings.cells(dataset));
            assertEquals(expected.summary(), dataset.summary());
          }
        }
      }
    }
  }

  @Test
  void lastRowWinsWhoeverPublishesFirst() {
    Ratings ratings = random(new Random(11), 3000, 20, 20, false);
    Parallelism pool = new ThreadedParallelism(3);
    try (Dataset expected = ratings.build(allocator, rules(">=3", DuplicatePolicy.LAST));
        DatasetBuilder builder =
            new DatasetBuilder(new RunContext(allocator, pool, () -> false, RunListener.none()))) {
      pool.forEach(
          30,
          (index, worker) -> {
            int start = (29 - index) * 100;
            ratings.publish(builder, start, start + 100);
          });
      try (Dataset dataset = builder.build(rules(">=3", DuplicatePolicy.LAST))) {
        assertEquals(expected.fingerprint(), dataset.fingerprint());
      }
    }
  }

  @Test
  void rarityIsFollowedAlongAChain() {
    // A path u1-i1-u2-i2-...: with two each demanded its ends fall, then the next, to the last.
    List<Ratings.Row> rows = new ArrayList<>();
    for (long k = 0; k < 500; k++) {
      rows.add(row(k, k, 1, 0));
      rows.add(row(k + 1, k, 1, 0));
    }
    // A square stays.
    for (long user = 1000; user < 1002; user++) {
      rows.add(row(user, 1000, 1, 0));
      rows.add(row(user, 1001, 1, 0));
    }
    try (Dataset dataset =
        new Ratings(Ratings.FULL, rows)
            .build(allocator, new DatasetRules(PositiveRule.all(), DuplicatePolicy.LAST, 2, 2))) {
      assertEquals(
          List.of("1000 1000", "1000 1001", "1001 1000", "1001 1001"), Ratings.cells(dataset));
      assertEquals(1000, dataset.summary().droppedByRarity());
    }
  }

  @Test
  void manyDifferentRatingValuesHaveNoHistogram() {
    List<Ratings.Row> rows = new ArrayList<>();
    for (int k = 0; k < 65; k++) {
      rows.add(row(1, k, k + 0.5f, 0));
    }
    try (Dataset few =
            new Ratings(Ratings.FULL, rows.subList(0, 64)).build(allocator, DatasetRules.all());
        Dataset many = new Ratings(Ratings.FULL, rows).build(allocator, DatasetRules.all())) {
      assertEquals(64, few.summary().ratings().size());
      assertTrue(many.summary().ratings().isEmpty());
    }
  }

  @Test
  void unknownIdIsExplained() {
    try (Dataset numbers =
            full(row(10, 1, 1, 0), row(20, 1, 1, 0)).build(allocator, DatasetRules.all());
        Dataset texts =
            new Ratings(Ratings.TEXTS, List.of(row("alice", "x"), row("bob", "x")))
                .build(allocator, DatasetRules.all())) {
      assertEquals(
          "No user has the id '15'. Ids of users run from 10 to 20; the nearest are '10' and '20'.",
          problem(numbers, "15"));
      assertEquals(
          "No user has the id '99'. Ids of users run from 10 to 20; the nearest is '20'.",
          problem(numbers, "99"));
      assertEquals(
          "No user has the id 'abc'. Ids of users are whole numbers from 10 to 20, without leading"
              + " zeros, signs or blanks.",
          problem(numbers, "abc"));
      assertTrue(numbers.users().search("10").isPresent());
      for (String other : List.of("010", "+10", " 10", "١٠", "10.0", "")) {
        assertTrue(numbers.users().search(other).isEmpty(), other);
        assertTrue(problem(numbers, other).contains("without leading zeros"), other);
      }
      assertEquals(
          "No user has the id 'alicia'. The nearest in order are 'alice' and 'bob'. Did you mean"
              + " 'alice'?",
          problem(texts, "alicia"));
    }
  }

  private static String problem(Dataset dataset, String id) {
    PecfException problem = assertThrows(PecfException.class, () -> dataset.users().indexOf(id));
    assertEquals(ErrorCode.BAD_OPTION, problem.code());
    return problem.getMessage();
  }

  @Test
  void negativeLeastNumbersAreRefused() {
    PecfException problem =
        assertThrows(
            PecfException.class,
            () -> new DatasetRules(PositiveRule.all(), DuplicatePolicy.LAST, 0, -1));
    assertEquals(ErrorCode.BAD_OPTION, problem.code());
  }

  @Test
  void closedBuilderTakesNothing() {
    DatasetBuilder builder = new DatasetBuilder(Ratings.context(allocator));
    builder.close();
    assertThrows(IllegalStateException.class, () -> full(row(1, 1, 1, 1)).publish(builder, 1));
    assertFalse(allocator.getAllocatedMemory() > 0);
  }
}
