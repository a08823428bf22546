package org.pecf.plugin.loaders.synthetic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.run.Seed;
import org.pecf.plugin.loaders.testing.Loading;
import org.pecf.testkit.fixture.LoadedRating;
import org.pecf.testkit.fixture.ThreadedParallelism;

class SyntheticLoaderTest {
  private static List<LoadedRating> load(String name, int threads, String... options) {
    Map<String, String> texts = new HashMap<>();
    for (int i = 0; i < options.length; i += 2) {
      texts.put(options[i], options[i + 1]);
    }
    RatingLoader loader = Loading.loader(new SyntheticLoaderProvider(), texts);
    return Loading.load(loader, "builtin:" + name, threads).ratings();
  }

  private static long distinct(
      List<LoadedRating> ratings, Function<LoadedRating, Object> property) {
    return ratings.stream().map(property).distinct().count();
  }

  @ParameterizedTest
  @CsvSource({
    "demo,600,400,12000",
    "citeulike,5551,16980,204986",
    "noise,600,1000,24000",
    "groups,2000,1000,60000",
    "one-group,2000,1000,60000"
  })
  void namedSetsHaveExactlyTheirSize(String name, int users, int items, int positives) {
    List<LoadedRating> ratings = load(name, 2);
    assertEquals(positives, ratings.size());
    assertEquals(positives, new HashSet<>(ratings).size());
    assertEquals(users, distinct(ratings, LoadedRating::user));
    assertEquals(items, distinct(ratings, LoadedRating::item));
  }

  @ParameterizedTest
  @CsvSource({
    "1,1,1",
    "3,2,6",
    "3,2,5",
    "50,40,2000",
    "50,40,1999",
    "50,40,1",
    "50,40,39",
    "200,7,900",
    "7,300,1500",
    "1000,10,500"
  })
  void anyShapeAndDensityIsMetExactly(int users, int items, int positives) {
    List<LoadedRating> ratings =
        load(
            "demo",
            1,
            "users",
            "" + users,
            "items",
            "" + items,
            "positives",
            "" + positives,
            "groups",
            "5");
    assertEquals(positives, new HashSet<>(ratings).size());
    assertEquals(positives, ratings.size());
    for (LoadedRating rating : ratings) {
      assertTrue((long) rating.user() >= 0 && (long) rating.user() < users);
      assertTrue((long) rating.item() >= 0 && (long) rating.item() < items);
    }
    if (positives >= users && positives >= items) {
      assertEquals(users, distinct(ratings, LoadedRating::user));
      assertEquals(items, distinct(ratings, LoadedRating::item));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "peer,6000,4000,480000",
    "movielens-20m-subset,27699,6412,1800000",
    "netflix-subset,19455,13135,6300000",
    "movielens-20m,138493,26744,10000000"
  })
  void largeSetsHaveTheShapeOfTheirModels(String name, int users, int items, long positives) {
    SyntheticLoaderProvider.Options unset =
        new SyntheticLoaderProvider.Options(0, 0, 0, OptionalDouble.empty(), 0, 1);
    Dimensions dimensions = Dimensions.of(name, unset);
    assertEquals(
        new Dimensions(users, items, positives, dimensions.groups(), dimensions.law()), dimensions);
    int[] degrees = Population.Activity.degrees(dimensions, new Seed(1));
    assertEquals(positives, Arrays.stream(degrees).asLongStream().sum());
    assertTrue(Arrays.stream(degrees).allMatch(degree -> degree >= 1 && degree <= items));
  }

  @Test
  void aChangedSizeKeepsTheDensity() {
    assertEquals(3_000, load("demo", 1, "users", "300", "items", "200").size());
    assertEquals(24_000, load("demo", 1, "density", "0.1").size());
  }

  @Test
  void dependsOnTheSeedAndOnNothingElse() {
    List<LoadedRating> once = load("peer", 1, "positives", "140000");
    assertEquals(once, load("peer", 2, "positives", "140000"));
    assertEquals(once, load("peer", 3, "positives", "140000", "seed", "1"));
    assertNotEquals(once, load("peer", 2, "positives", "140000", "seed", "2"));
  }

  @Test
  void activityAndPopularityHaveLongTails() {
    List<LoadedRating> ratings = load("citeulike", 2);
    for (Function<LoadedRating, Object> side :
        List.<Function<LoadedRating, Object>>of(LoadedRating::user, LoadedRating::item)) {
      long[] counts =
          ratings.stream()
              .collect(Collectors.groupingBy(side, Collectors.counting()))
              .values()
              .stream()
              .mapToLong(Long::longValue)
              .sorted()
              .toArray();
      long top = Arrays.stream(counts, counts.length * 9 / 10, counts.length).sum();
      assertTrue(top > 0.25 * ratings.size(), "the most active tenth has " + top);
      assertTrue(
          counts[counts.length - 1] > 10 * counts[counts.length / 2],
          "the most active has " + counts[counts.length - 1]);
    }
  }

  /** MovieLens 1M: the most popular tenth has 61 % of the five-star ratings. */
  @Test
  void fewFilmsAreKnownToEverybody() {
    List<LoadedRating> ratings = load("movielens-20m-subset", 2, "users", "2000", "items", "1000");
    long[] counts =
        ratings.stream()
            .collect(Collectors.groupingBy(LoadedRating::item, Collectors.counting()))
            .values()
            .stream()
            .mapToLong(Long::longValue)
            .sorted()
            .toArray();
    double top =
        (double) Arrays.stream(counts, counts.length * 9 / 10, counts.length).sum()
            / ratings.size();
    assertEquals(0.6, top, 0.05);
  }

  @Test
  void usersOfAGroupShareTheirItems() {
    // Two users share far more items than they would if everybody chose by popularity alone.
    List<LoadedRating> ratings = load("demo", 1);
    double planted = meanOfLargestOverlaps(ratings);
    List<Object> items = new ArrayList<>(ratings.stream().map(LoadedRating::item).toList());
    Collections.shuffle(items, new Random(1));
    List<LoadedRating> shuffled = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      shuffled.add(LoadedRating.of(ratings.get(i).user(), items.get(i)));
    }
    double random = meanOfLargestOverlaps(shuffled);
    assertTrue(planted > 1.5 * random, planted + " against " + random);
  }

  /** A third of the users are in the first of twelve groups, a fortieth in the last. */
  @Test
  void groupsAreFromAMajorityToSmallMinorities() {
    TasteGroups groups = groups("groups");
    int[] sizes = new int[12];
    for (int user = 0; user < 2_000; user++) {
      assertEquals(1, groups.memberships(user).groups().length);
      sizes[groups.mainGroupOfUser(user)]++;
    }
    double harmonic = 86_021 / 27_720.0;
    for (int group = 0; group < 12; group++) {
      double expected = 2_000 / harmonic / (group + 1);
      assertEquals(expected, sizes[group], 3 * Math.sqrt(expected), "group " + group);
    }
  }

  @Test
  void usersOfUnequalGroupsTakeTheItemsOfTheirGroup() {
    TasteGroups groups = groups("groups");
    Map<Boolean, Long> atHome =
        load("groups", 2).stream()
            .collect(
                Collectors.partitioningBy(
                    rating ->
                        groups.mainGroupOfItem(((Long) rating.item()).intValue())
                            == groups.mainGroupOfUser(((Long) rating.user()).intValue()),
                    Collectors.counting()));
    // A twelfth of the items is at home; the most active users take more than all of them.
    double share = (double) atHome.get(true) / 60_000;
    assertTrue(share > 0.6, "at home: " + share);
  }

  @Test
  void usersOfSeveralUnequalGroupsHaveEachOnce() {
    TasteGroups groups =
        new TasteGroups(
            new Dimensions(
                500,
                50,
                500,
                4,
                new Dimensions.GroupLaw(Dimensions.PopularityCurve.BY_GROUP, 3, 2)),
            new Seed(1),
            new ThreadedParallelism(1));
    for (int user = 0; user < 500; user++) {
      int[] chosen = groups.memberships(user).groups();
      assertEquals(chosen.length, Arrays.stream(chosen).distinct().count());
    }
  }

  @Test
  void oneGroupIsOneTaste() {
    TasteGroups groups = groups("one-group");
    for (int user = 0; user < 2_000; user++) {
      assertEquals(1, groups.memberships(user).groups().length);
    }
  }

  private static TasteGroups groups(String name) {
    SyntheticLoaderProvider.Options unset =
        new SyntheticLoaderProvider.Options(0, 0, 0, OptionalDouble.empty(), 0, 1);
    return new TasteGroups(
        Dimensions.of(name, unset), new Seed(1).child("groups"), new ThreadedParallelism(1));
  }

  private static double meanOfLargestOverlaps(List<LoadedRating> ratings) {
    Map<Object, Set<Object>> sets =
        ratings.stream()
            .collect(
                Collectors.groupingBy(
                    LoadedRating::user,
                    Collectors.mapping(LoadedRating::item, Collectors.toSet())));
    List<Set<Object>> users = List.copyOf(new TreeMap<>(sets).values());
    double sum = 0;
    int sampled = 60;
    for (int a = 0; a < sampled; a++) {
      double largest = 0;
      for (int b = 0; b < users.size(); b++) {
        if (a != b) {
          Set<Object> common = new HashSet<>(users.get(a));
          common.retainAll(users.get(b));
          largest =
              Math.max(
                  largest,
                  common.size() / Math.sqrt((double) users.get(a).size() * users.get(b).size()));
        }
      }
      sum += largest;
    }
    return sum / sampled;
  }

  @Test
  void noiseIsTheSameForAllUsersAndItems() {
    List<LoadedRating> ratings = load("noise", 2);
    assertEquals(ratings, load("noise", 1, "seed", "1"));
    assertNotEquals(ratings, load("noise", 2, "seed", "2"));
    assertEquals(Set.of(40L), Set.copyOf(counts(ratings, LoadedRating::user).values()));
    // An item's count is binomial: 600 users with 0.04 each. Chi-square of 1,000 counts, whose mean
    // is 999 and whose deviation is sqrt(2 * 999) = 45.
    double square =
        counts(ratings, LoadedRating::item).values().stream()
            .mapToDouble(count -> (count - 24.0) * (count - 24) / (24 * 0.96))
            .sum();
    assertEquals(999, square, 3 * 45);
    // Nor do two users share more items than chance has them share: 40 * 40 / 1,000.
    Map<Object, Set<Object>> sets =
        ratings.stream()
            .collect(
                Collectors.groupingBy(
                    LoadedRating::user,
                    Collectors.mapping(LoadedRating::item, Collectors.toSet())));
    double shared = 0;
    for (long user = 0; user < 600; user += 2) {
      Set<Object> common = new HashSet<>(sets.get(user));
      common.retainAll(sets.get(user + 1));
      shared += common.size() / 300.0;
    }
    assertEquals(1.6, shared, 0.25);
  }

  @Test
  void noiseOfAnyShapeIsMetExactly() {
    assertEquals(
        List.of(3L, 2L, 2L),
        List.copyOf(
            new TreeMap<>(
                    counts(
                        load("noise", 1, "users", "3", "items", "4", "positives", "7"),
                        LoadedRating::user))
                .values()));
    assertEquals(12, load("noise", 1, "users", "3", "items", "4", "density", "1").size());
    PecfException groups = assertThrows(PecfException.class, () -> load("noise", 1, "groups", "3"));
    assertEquals(
        "The data builtin:noise has no taste groups. Leave synthetic.groups out.",
        groups.getMessage());
  }

  private static Map<Object, Long> counts(
      List<LoadedRating> ratings, Function<LoadedRating, Object> side) {
    return ratings.stream().collect(Collectors.groupingBy(side, Collectors.counting()));
  }

  @Test
  void explainsUnknownNames() {
    PecfException problem = assertThrows(PecfException.class, () -> load("dmeo", 1));
    assertEquals(ErrorCode.BAD_DATA, problem.code());
    assertEquals(
        "There is no embedded data 'builtin:dmeo'. Did you mean 'builtin:demo'? Known:"
            + " builtin:demo, builtin:peer, builtin:citeulike, builtin:movielens-20m-subset,"
            + " builtin:netflix-subset, builtin:movielens-20m, builtin:groups,"
            + " builtin:one-group, builtin:noise.",
        problem.getMessage());
  }

  @Test
  void refusesWhatDoesNotFit() {
    PecfException many =
        assertThrows(
            PecfException.class,
            () -> load("demo", 1, "users", "2", "items", "2", "positives", "5"));
    assertEquals(
        "5 positives do not fit into 2 x 2 cells. Ask for fewer positives, or for more users or"
            + " items.",
        many.getMessage());
    assertEquals(ErrorCode.BAD_OPTION, many.code());
    PecfException both =
        assertThrows(
            PecfException.class, () -> load("demo", 1, "density", "0.5", "positives", "5"));
    assertEquals("loader synthetic: set positives or density, not both", both.getMessage());
  }

  @Test
  void drawsInProportionToWeights() {
    TasteGroups.AliasTable table = new TasteGroups.AliasTable(new double[] {1, 0.5, 4, 2.5, 1e-9});
    SplittableRandom random = new SplittableRandom(5);
    int[] counts = new int[5];
    for (int i = 0; i < 80_000; i++) {
      counts[table.draw(random)]++;
    }
    assertEquals(10_000, counts[0], 400);
    assertEquals(5_000, counts[1], 300);
    assertEquals(40_000, counts[2], 600);
    assertEquals(25_000, counts[3], 600);
    assertEquals(0, counts[4]);
  }
}
