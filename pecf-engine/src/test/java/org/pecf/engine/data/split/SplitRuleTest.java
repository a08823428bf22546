package org.pecf.engine.data.split;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.pecf.engine.data.Ratings.row;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.data.Part;
import org.pecf.api.field.CellPartition;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Seed;
import org.pecf.engine.data.Dataset;
import org.pecf.engine.data.Ratings;

class SplitRuleTest {
  private static final Seed SEED = new Seed(42);

  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingLeaks() {
    assertEquals(0, allocator.getAllocatedMemory());
    allocator.close();
  }

  private static Ratings random(int seed, int count) {
    Random random = new Random(seed);
    List<Ratings.Row> rows = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      rows.add(row(random.nextInt(150), random.nextInt(200), 1, random.nextInt(100_000)));
    }
    return new Ratings(Ratings.FULL, rows);
  }

  private Dataset dataset(Ratings.Row... rows) {
    return new Ratings(Ratings.FULL, List.of(rows)).build(allocator);
  }

  private static List<String> cells(SparseCells cells) {
    List<String> result = new ArrayList<>();
    for (int user = 0; user < cells.users(); user++) {
      for (int k = cells.userStart(user); k < cells.userStart(user + 1); k++) {
        result.add(user + " " + cells.itemAt(k));
      }
    }
    return result;
  }

  @Test
  void rulesAreReadAndWritten() {
    assertEquals("cells:3:1:1", SplitRule.parse("paper").toString());
    assertEquals(SplitRule.parse("paper"), SplitRule.parse("cells:3:1:1"));
    assertEquals(SplitRule.parse("positives"), SplitRule.parse("positives:3:1:1"));
    assertEquals("temporal:7:0:3", SplitRule.parse(" temporal:7:0:3 ").toString());
    for (String form : SplitRule.forms()) {
      SplitRule rule = SplitRule.parse(form);
      assertEquals(rule, SplitRule.parse(rule.toString()));
      assertFalse(rule.description().isBlank());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cells:3:1", "cells:3:1:1:1", "cells:0:1:1", "cells:3:1:0", "cells:a:b:c", "cells:-1:1:1",
        "cells:3::1", "files:1", "paper:3:1:1", "leave-one-out:2", "positives:99999999999:1:1", ""
      })
  void whatIsNoRuleIsRefused(String text) {
    assertEquals(
        ErrorCode.BAD_OPTION,
        assertThrows(PecfException.class, () -> SplitRule.parse(text)).code());
  }

  @Test
  void unknownNameIsAnsweredByTheNearest() {
    String message =
        assertThrows(PecfException.class, () -> SplitRule.parse("positive:8:1:1")).getMessage();
    assertTrue(message.contains("Did you mean 'positives'?"), message);
    assertTrue(message.contains("leave-one-out"), message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"paper", "cells:1:0:1", "positives", "leave-one-out", "temporal:6:2:2"})
  void partsAreDisjointAndComplete(String text) {
    try (Dataset dataset = random(1, 5000).build(allocator);
        Split split = SplitRule.parse(text).split(dataset, SEED, allocator)) {
      List<String> all = new ArrayList<>();
      all.addAll(cells(split.training()));
      all.addAll(cells(split.validation()));
      all.addAll(cells(split.test()));
      assertEquals(dataset.positives().count(), all.size());
      assertEquals(new TreeSet<>(cells(dataset.positives())), new TreeSet<>(all));
      assertTrue(split.training().count() > 0);
      assertTrue(split.test().count() > 0);
      assertEquals(dataset.shape().users(), split.test().users());
      assertEquals(dataset.shape().items(), split.test().items());
    }
  }

  @Test
  void paperSplitFollowsThePartitionOfAllCells() {
    try (Dataset dataset = random(2, 5000).build(allocator);
        Split split = SplitRule.parse("paper").split(dataset, SEED, allocator)) {
      CellPartition partition = split.partition().orElseThrow();
      assertEquals(new CellPartition(42, 3, 1, 1), partition);
      List<SparseCells> parts = List.of(split.training(), split.validation(), split.test());
      for (int user = 0; user < dataset.shape().users(); user++) {
        for (int item = 0; item < dataset.shape().items(); item++) {
          if (dataset.positives().contains(user, item)) {
            assertTrue(parts.get(partition.partOf(user, item).ordinal()).contains(user, item));
          }
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void proportionsAreWithinBinomialBounds(long seed) {
    try (Dataset dataset = random(3, 20_000).build(allocator);
        Split cells = SplitRule.parse("paper").split(dataset, new Seed(seed), allocator);
        Split positives =
            SplitRule.parse("positives:8:1:1").split(dataset, new Seed(seed), allocator)) {
      assertShare(0.6, cells.training(), dataset);
      assertShare(0.2, cells.validation(), dataset);
      assertShare(0.2, cells.test(), dataset);
      assertShare(0.8, positives.training(), dataset);
      assertShare(0.1, positives.validation(), dataset);
      assertShare(0.1, positives.test(), dataset);
      assertTrue(positives.partition().isEmpty());
    }
  }

  /** Five standard deviations: one failure in two million. */
  private static void assertShare(double share, SparseCells part, Dataset dataset) {
    double count = dataset.positives().count();
    double deviation = Math.sqrt(count * share * (1 - share));
    assertEquals(count * share, part.count(), 5 * deviation);
  }

  @ParameterizedTest
  @ValueSource(strings = {"paper", "positives", "leave-one-out", "temporal"})
  void orderOfRowsDoesNotMatter(String text) {
    Ratings ratings = random(4, 3000);
    // One rating a cell, as otherwise the order says which counts.
    TreeSet<String> seen = new TreeSet<>();
    List<Ratings.Row> rows = new ArrayList<>(ratings.rows());
    rows.removeIf(row -> !seen.add(row.user() + " " + row.item()));
    List<Ratings.Row> shuffled = new ArrayList<>(rows);
    Collections.shuffle(shuffled, new Random(5));
    SplitRule rule = SplitRule.parse(text);
    try (Dataset one = new Ratings(Ratings.FULL, rows).build(allocator);
        Dataset other = new Ratings(Ratings.FULL, shuffled).build(allocator);
        Split left = rule.split(one, SEED, allocator);
        Split right = rule.split(other, SEED, allocator)) {
      assertEquals(cells(left.training()), cells(right.training()));
      assertEquals(cells(left.validation()), cells(right.validation()));
      assertEquals(cells(left.test()), cells(right.test()));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"paper", "positives"})
  void otherSeedGivesAnotherSplit(String text) {
    try (Dataset dataset = random(6, 1000).build(allocator);
        Split one = SplitRule.parse(text).split(dataset, new Seed(1), allocator);
        Split other = SplitRule.parse(text).split(dataset, new Seed(2), allocator)) {
      assertNotEquals(cells(one.test()), cells(other.test()));
    }
  }

  @Test
  void leaveOneOutTakesTheLastInTime() {
    try (Dataset dataset =
            dataset(
                row(1, 10, 1, 400),
                row(1, 11, 1, 300),
                row(1, 12, 1, 500),
                row(1, 13, 1, 100),
                row(2, 10, 1, 9),
                row(2, 11, 1, 8),
                row(3, 13, 1, -5),
                row(3, 12, 1, -7),
                row(3, 11, 1, -6));
        Split split = SplitRule.parse("leave-one-out").split(dataset, SEED, allocator)) {
      assertEquals(List.of("0 2", "2 3"), cells(split.test()));
      assertEquals(List.of("0 0", "2 1"), cells(split.validation()));
      assertEquals(List.of("0 1", "0 3", "1 0", "1 1", "2 2"), cells(split.training()));
      assertTrue(split.partition().isEmpty());
    }
  }

  @Test
  void leaveOneOutWithoutTimesDependsOnTheSeed() {
    List<Ratings.Row> rows = new ArrayList<>();
    for (int user = 0; user < 40; user++) {
      for (int item = 0; item < 10; item++) {
        rows.add(row("u" + user, "i" + item));
      }
    }
    SplitRule rule = SplitRule.parse("leave-one-out");
    try (Dataset dataset = new Ratings(Ratings.TEXTS, rows).build(allocator);
        Split one = rule.split(dataset, new Seed(1), allocator);
        Split same = rule.split(dataset, new Seed(1), allocator);
        Split other = rule.split(dataset, new Seed(2), allocator)) {
      for (int user = 0; user < 40; user++) {
        assertEquals(1, one.test().userCount(user));
        assertEquals(1, one.validation().userCount(user));
        assertEquals(8, one.training().userCount(user));
      }
      assertEquals(cells(one.test()), cells(same.test()));
      assertNotEquals(cells(one.test()), cells(other.test()));
    }
  }

  @Test
  void leaveOneOutNeedsAUserWithThree() {
    try (Dataset dataset = dataset(row(1, 1, 1, 1), row(1, 2, 1, 2), row(2, 1, 1, 3))) {
      PecfException problem =
          assertThrows(
              PecfException.class,
              () -> SplitRule.parse("leave-one-out").split(dataset, SEED, allocator));
      assertEquals(ErrorCode.BAD_DATA, problem.code());
      assertTrue(problem.getMessage().contains("three positives"), problem.getMessage());
    }
  }

  @Test
  void temporalSplitCutsAtTwoMoments() {
    List<Ratings.Row> rows = new ArrayList<>();
    for (int k = 0; k < 20; k++) {
      rows.add(row(k % 4, k, 1, 1000 - 10L * k));
    }
    try (Dataset dataset = new Ratings(Ratings.FULL, rows).build(allocator);
        Split split = SplitRule.parse("temporal:6:2:2").split(dataset, SEED, allocator)) {
      // Later rows are older: rows 0-3 are the newest fifth, 4-7 the next, the others training.
      assertEquals(List.of("0 0", "1 1", "2 2", "3 3"), cells(split.test()));
      assertEquals(List.of("0 4", "1 5", "2 6", "3 7"), cells(split.validation()));
      assertEquals(12, split.training().count());
    }
  }

  @Test
  void temporalSplitKeepsEqualTimesTogether() {
    List<Ratings.Row> rows = new ArrayList<>();
    for (int k = 0; k < 100; k++) {
      rows.add(row(k % 10, k, 1, k / 7));
    }
    try (Dataset dataset = new Ratings(Ratings.FULL, rows).build(allocator);
        Split split = SplitRule.parse("temporal:8:1:1").split(dataset, SEED, allocator)) {
      // Places 80 and 90 have the times 11 and 12, whose seconds start at rows 77 and 84.
      assertEquals(77, split.training().count());
      assertEquals(7, split.validation().count());
      assertEquals(16, split.test().count());
    }
    try (Dataset dataset = dataset(row(1, 1, 1, 5), row(1, 2, 1, 5), row(1, 3, 1, 5))) {
      String message =
          assertThrows(
                  PecfException.class,
                  () -> SplitRule.parse("temporal:8:1:1").split(dataset, SEED, allocator))
              .getMessage();
      assertTrue(message.contains("0 of 3 positives into training"), message);
    }
  }

  @Test
  void temporalSplitNeedsTimes() {
    try (Dataset dataset = new Ratings(Ratings.TEXTS, List.of(row("a", "b"))).build(allocator)) {
      PecfException problem =
          assertThrows(
              PecfException.class,
              () -> SplitRule.parse("temporal:8:1:1").split(dataset, SEED, allocator));
      assertEquals(ErrorCode.BAD_OPTION, problem.code());
      assertTrue(problem.getMessage().contains("has no times"), problem.getMessage());
    }
  }

  @Test
  void orderStatisticAgreesWithSorting() {
    Random random = new Random(8);
    for (int bits : new int[] {1, 15, 31, 64}) {
      long[] numbers = new long[500];
      try (BigIntVector vector = new BigIntVector("numbers", allocator)) {
        vector.allocateNew(numbers.length);
        for (int k = 0; k < numbers.length; k++) {
          numbers[k] = random.nextLong() >> (64 - bits);
          vector.set(k, numbers[k]);
        }
        vector.setValueCount(numbers.length);
        Arrays.sort(numbers);
        for (int place = 0; place < numbers.length; place += 7) {
          assertEquals(numbers[place], OrderStatistic.of(vector, place));
        }
      }
    }
  }

  private Dataset inParts(Ratings training, Ratings validation, Ratings test) {
    Map<Part, Ratings> parts = new EnumMap<>(Part.class);
    parts.put(Part.TRAINING, training);
    if (validation != null) {
      parts.put(Part.VALIDATION, validation);
    }
    if (test != null) {
      parts.put(Part.TEST, test);
    }
    return Ratings.build(allocator, parts);
  }

  private static Ratings of(Ratings.Row... rows) {
    return new Ratings(Ratings.FULL, List.of(rows));
  }

  @Test
  void filesAreKeptAsTheyCome() {
    try (Dataset dataset =
            inParts(
                of(row(1, 1, 1, 0), row(2, 2, 1, 0)),
                of(row(1, 2, 1, 0)),
                of(row(2, 1, 1, 0), row(1, 3, 1, 0)));
        Split split = SplitRule.parse("files").split(dataset, SEED, allocator)) {
      assertEquals(List.of("0 0", "1 1"), cells(split.training()));
      assertEquals(List.of("0 1"), cells(split.validation()));
      assertEquals(List.of("0 2", "1 0"), cells(split.test()));
      assertTrue(split.partition().isEmpty());
    }
  }

  @Test
  void withoutValidationFileATenthOfTrainingIsHeldOut() {
    Ratings test = of(row(1, 1000, 1, 0), row(2, 1001, 1, 0));
    try (Dataset dataset = inParts(random(7, 10_000), null, test);
        Split split = SplitRule.parse("files").split(dataset, SEED, allocator)) {
      assertEquals(2, split.test().count());
      int training = dataset.positives().count() - 2;
      assertEquals(training, split.training().count() + split.validation().count());
      assertEquals(0.1 * training, split.validation().count(), 5 * Math.sqrt(0.09 * training));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"positives:3:1:1", "cells:5:2:3", "temporal:3:1:1", "leave-one-out", "files"})
  void aJoinedRuleGivesValidationToTrainingAndKeepsTheTestPart(String text) {
    SplitRule rule = SplitRule.parse(text);
    assertEquals(rule.joined(), SplitRule.parse(rule.joined().toString()));
    assertEquals(rule.joined(), rule.joined().joined());
    assertFalse(rule.joined().description().equals(rule.description()));
    try (Dataset dataset =
            text.equals("files")
                ? inParts(random(7, 2000), null, of(row(1, 1000, 1, 0)))
                : random(5, 2000).build(allocator);
        Split split = rule.split(dataset, SEED, allocator);
        Split joined = rule.joined().split(dataset, SEED, allocator)) {
      TreeSet<String> both = new TreeSet<>(cells(split.training()));
      assertTrue(split.validation().count() > 0);
      both.addAll(cells(split.validation()));
      assertEquals(both, new TreeSet<>(cells(joined.training())));
      assertEquals(0, joined.validation().count());
      assertEquals(cells(split.test()), cells(joined.test()));
      assertEquals(
          split.partition().map(cells -> cells.mask(Part.TEST)),
          joined.partition().map(cells -> cells.mask(Part.TEST)));
    }
  }

  @Test
  void aRuleThatHoldsNothingOutHasNoValidationToGive() {
    assertThrows(PecfException.class, () -> SplitRule.none().joined());
  }

  @Test
  void filesNeedATestPart() {
    try (Dataset whole = dataset(row(1, 1, 1, 0), row(1, 2, 1, 0));
        Dataset untested = inParts(of(row(1, 1, 1, 0)), of(row(1, 2, 1, 0)), null)) {
      SplitRule rule = SplitRule.parse("files");
      assertEquals(
          ErrorCode.BAD_OPTION,
          assertThrows(PecfException.class, () -> rule.split(whole, SEED, allocator)).code());
      String message =
          assertThrows(PecfException.class, () -> rule.split(untested, SEED, allocator))
              .getMessage();
      assertTrue(message.contains("the test part"), message);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"paper", "positives", "leave-one-out", "temporal"})
  void whatComesInPartsIsNotDividedAnew(String text) {
    try (Dataset dataset = inParts(of(row(1, 1, 1, 0)), null, of(row(1, 2, 1, 0)))) {
      String message =
          assertThrows(
                  PecfException.class, () -> SplitRule.parse(text).split(dataset, SEED, allocator))
              .getMessage();
      assertTrue(message.contains("Use the split 'files'"), message);
    }
  }

  @Test
  void emptyTestPartIsRefused() {
    try (Dataset dataset = dataset(row(1, 1, 1, 0))) {
      assertThrows(
          PecfException.class, () -> SplitRule.parse("paper").split(dataset, SEED, allocator));
    }
  }

  @Test
  void memoryIsBalancedWhereverItRunsOut() {
    try (Dataset dataset = random(9, 500).build(allocator)) {
      int failures = 0;
      boolean succeeded = false;
      for (long limit = 256; !succeeded; limit += 256) {
        try (BufferAllocator narrow = allocator.newChildAllocator("narrow", 0, limit)) {
          try (Split split = SplitRule.parse("paper").split(dataset, SEED, narrow)) {
            succeeded = split.training().count() > 0;
          } catch (OutOfMemoryException e) {
            failures++;
          }
          assertEquals(0, narrow.getAllocatedMemory());
        }
      }
      assertTrue(failures > 5, "only " + failures);
    }
  }

  @Test
  void withoutASplitEverythingIsForTraining() {
    try (Dataset dataset = random(3, 500).build(allocator);
        Split split = SplitRule.none().split(dataset, SEED, allocator)) {
      assertEquals(cells(dataset.positives()), cells(split.training()));
      assertEquals(0, split.validation().count() + split.test().count());
      assertTrue(split.partition().isEmpty());
    }
    assertFalse(SplitRule.parse("none").holdsOut());
    assertTrue(SplitRule.usual().holdsOut());
    assertThrows(PecfException.class, () -> SplitRule.parse("none:3:1:1"));
  }
}
