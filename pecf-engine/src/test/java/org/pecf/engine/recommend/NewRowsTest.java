package org.pecf.engine.recommend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.api.PecfException;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.engine.ensemble.Ensemble;
import org.pecf.engine.model.ModelStore;
import org.pecf.engine.model.StoredModel;
import org.pecf.engine.recommend.UserRecommendations.Source;

/** New users and items, similar items and explanations, of a stored model. */
class NewRowsTest {
  private static final int USERS = 40;
  private static final int ITEMS = 300;

  @TempDir private Path folder;
  private final BufferAllocator allocator = new RootAllocator();
  private StoredModel model;
  private Recommender recommender;

  @BeforeEach
  void open() {
    model = RandomModel.of(USERS, ITEMS, 1, allocator, 3, 2, 5);
    Path place = folder.resolve("model");
    ModelStore.save(place, model, false, allocator);
    recommender = Recommender.open(place);
  }

  @AfterEach
  void close() {
    recommender.close();
    model.close();
    allocator.close();
  }

  private static List<String> ids(List<Recommendation> list) {
    return list.stream().map(Recommendation::item).toList();
  }

  @Test
  void aNewUserIsRecommendedOtherItems() {
    List<Recommendation> all =
        recommender.recommendFor(
            List.of("10", "2990", "50"), RecommendationRequest.top(ITEMS).withKnown());
    assertEquals(ITEMS, all.size());
    List<Recommendation> list = recommender.recommendFor(List.of("50", "10", "2990"), ITEMS);
    assertEquals(ITEMS - 3, list.size());
    assertFalse(ids(list).contains("50"));
    assertEquals(
        all.stream().filter(one -> !Set.of("10", "2990", "50").contains(one.item())).toList(),
        list);
    assertEquals(list, list.stream().sorted(Comparator.comparing(r -> -r.score())).toList());
  }

  @Test
  void itemsThatTheModelLacksAreRefusedOrSkippedAndCounted() {
    PecfException refused =
        assertThrows(PecfException.class, () -> recommender.recommendFor(List.of("10", "11"), 3));
    assertTrue(refused.getMessage().contains("'11'"), refused.getMessage());
    RecommendationRequest strict = RecommendationRequest.top(4).asStrict();
    assertThrows(PecfException.class, () -> recommender.recommendFor(List.of(), strict));
    List<Recommendation> popular = recommender.recommendFor(List.of(), 4);
    assertEquals(4, popular.size());
    List<NewUser> users =
        List.of(
            new NewUser("a", List.of("10", "11", "no number", "50", "10")),
            new NewUser("b", List.of("12")),
            new NewUser("c", List.of("2990")));
    NewUserLists made =
        recommender.recommendFor(users, RecommendationRequest.top(4), UnknownItems.SKIP);
    assertEquals(3, made.users());
    assertEquals(3, made.items());
    assertEquals(3, made.unknownItems());
    assertEquals(1, made.usersWithoutItems());
    assertEquals(
        List.of(
            new UserRecommendations(
                "a", Source.MODEL, recommender.recommendFor(List.of("10", "50"), 4)),
            new UserRecommendations("b", Source.POPULAR, popular),
            new UserRecommendations(
                "c", Source.MODEL, recommender.recommendFor(List.of("2990"), 4))),
        made.lists().toList());
    assertEquals(
        List.of(),
        recommender.recommendFor(users, strict, UnknownItems.SKIP).lists().toList().get(1).items());
    assertThrows(
        PecfException.class,
        () -> recommender.recommendFor(users, RecommendationRequest.top(4), UnknownItems.REFUSE));
  }

  @Test
  void manyThreadsGetTheListsThatOneGets() throws Exception {
    List<List<String>> histories =
        IntStream.range(0, 40)
            .mapToObj(k -> List.of("" + 10 * k, "" + 70 * (k % 40), "" + (2990 - 10 * k)))
            .toList();
    List<List<Recommendation>> expected;
    try (Recommender alone = Recommender.open(folder.resolve("model"))) {
      expected = histories.stream().map(items -> alone.recommendFor(items, 7)).toList();
    }
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Callable<List<Recommendation>>> calls = new ArrayList<>();
      histories.forEach(
          items ->
              calls.add(
                  () -> {
                    recommender.similar(items.get(0), 3);
                    recommender.explainFor(items, "30");
                    return recommender.recommendFor(items, 7);
                  }));
      List<Future<List<Recommendation>>> results = threads.invokeAll(calls);
      for (int k = 0; k < expected.size(); k++) {
        assertEquals(expected.get(k), results.get(k).get());
      }
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void aNewItemHasUsersAndSimilarItems() {
    List<Recommendation> audience = recommender.audienceOfNew(List.of("1003", "1017"), USERS);
    assertEquals(USERS - 2, audience.size());
    assertFalse(ids(audience).contains("1003"));
    List<Recommendation> similar = recommender.similarToNew(List.of("1003", "1017"), 5);
    assertEquals(5, new HashSet<>(ids(similar)).size());
    similar.forEach(one -> assertTrue(Math.abs(one.score()) <= 1.0001, one.toString()));
    assertThrows(PecfException.class, () -> recommender.similarToNew(List.of("17"), 5));
    assertThrows(PecfException.class, () -> recommender.audienceOfNew(List.of(), 5));
  }

  /** The similarity by its definition: common users beyond chance, and cosines of factors. */
  private static double[] similarities(StoredModel model, int item) {
    SparseCells training = model.training();
    double[] weights = model.ensemble().weights();
    double[][] vectors = new double[ITEMS][];
    for (int other = 0; other < ITEMS; other++) {
      List<Double> vector = new ArrayList<>();
      for (int k = 0; k < weights.length; k++) {
        if (model.ensemble().members().get(k).model() instanceof FactorModel factors) {
          double scale = weights[k] * size(factors.users());
          for (int f = 0; f < factors.rank(); f++) {
            vector.add(scale * factors.items().get(other, f));
          }
        }
      }
      vectors[other] = vector.stream().mapToDouble(Double::doubleValue).toArray();
    }
    double shrinkage =
        40
            * IntStream.range(0, USERS)
                .mapToDouble(user -> Math.pow(training.userCount(user), -0.7))
                .average()
                .orElseThrow();
    double pairs =
        IntStream.range(0, USERS)
            .mapToDouble(user -> Math.pow(training.userCount(user), 1.3))
            .sum();
    double[] similarities = new double[ITEMS];
    for (int other = 0; other < ITEMS; other++) {
      double together = 0;
      double one = shrinkage;
      double two = shrinkage;
      for (int user = 0; user < USERS; user++) {
        double weight = Math.pow(training.userCount(user), -0.7);
        together += training.contains(user, item) && training.contains(user, other) ? weight : 0;
        one += training.contains(user, item) ? weight : 0;
        two += training.contains(user, other) ? weight : 0;
      }
      double square = dot(vectors[item], vectors[item]) * dot(vectors[other], vectors[other]);
      double cosine = square == 0 ? 0 : dot(vectors[item], vectors[other]) / Math.sqrt(square);
      double chance =
          pairs
              * (training.itemCount(item) / (double) training.count())
              * (training.itemCount(other) / (double) training.count());
      similarities[other] =
          (together - 0.75 * chance + 0.2 * shrinkage * cosine) / Math.sqrt(one * two);
    }
    return similarities;
  }

  private static void assertSimilar(StoredModel model, Recommender opened) {
    double[] similarities = similarities(model, 8);
    List<String> expected =
        IntStream.range(0, ITEMS)
            .boxed()
            .filter(other -> other != 8)
            .sorted(Comparator.comparing(other -> -similarities[other]))
            .limit(10)
            .map(other -> "" + 10 * other)
            .toList();
    List<Recommendation> similar = opened.similar("80", 10);
    assertEquals(expected, ids(similar));
    assertEquals(
        similarities[Integer.parseInt(similar.get(0).item()) / 10], similar.get(0).score(), 1e-5);
  }

  @Test
  void similarItemsHaveCommonUsersAndFactorsThatPointTheSameWay() {
    assertSimilar(model, recommender);
    assertThrows(PecfException.class, () -> recommender.similar("81", 10));
  }

  @Test
  void modelsWithoutFactorsHaveSimilarItemsByCommonUsers() {
    Path place = folder.resolve("product");
    try (StoredModel product = RandomModel.of(USERS, ITEMS, 4, allocator, 0)) {
      ModelStore.save(place, product, false, allocator);
      try (Recommender opened = Recommender.open(place)) {
        assertSimilar(product, opened);
        assertEquals(5, opened.similarToNew(List.of("1003"), 5).size());
        assertThrows(PecfException.class, () -> opened.audienceOfNew(List.of("1003"), 5));
      }
    }
  }

  /**
   * Two groups of users, one of them large. Items of the small one, and one that everybody has: the
   * similar ones are of the same group, though all of the large one are more popular.
   */
  @Test
  void popularItemsAreNotSimilarToEverything() {
    GridShape shape = new GridShape(600, 30);
    int[] users = new int[600 * 30];
    int[] items = new int[600 * 30];
    int count = 0;
    Random random = new Random(3);
    for (int user = 0; user < shape.users(); user++) {
      boolean small = user < 150;
      for (int item = 0; item < shape.items(); item++) {
        boolean ofGroup = small == item < 10;
        if (item == 29 || random.nextDouble() < (ofGroup ? 0.7 : 0.25)) {
          users[count] = user;
          items[count++] = item;
        }
      }
    }
    try (SparseCells cells = SparseCells.ofSorted(allocator, 600, 30, count, users, items)) {
      ItemSimilarity similarity = new ItemSimilarity(new Ensemble(shape), cells);
      for (int item = 0; item < 10; item++) {
        float[] similarities = similarity.to(item);
        int query = item;
        double own =
            IntStream.range(0, 10)
                .filter(other -> other != query)
                .mapToDouble(other -> similarities[other])
                .average()
                .orElseThrow();
        assertTrue(
            IntStream.range(10, 30).allMatch(other -> similarities[other] < own),
            () -> Arrays.toString(similarities));
      }
    }
  }

  private static double size(FloatMatrix matrix) {
    double squares = 0;
    for (int row = 0; row < matrix.rows(); row++) {
      for (int k = 0; k < matrix.columns(); k++) {
        squares += matrix.get(row, k) * (double) matrix.get(row, k);
      }
    }
    return Math.sqrt(squares / matrix.rows() / matrix.columns());
  }

  private static double dot(double[] left, double[] right) {
    return IntStream.range(0, left.length).mapToDouble(k -> left[k] * right[k]).sum();
  }

  private static void assertAddsUp(Explanation explanation) {
    assertEquals(
        explanation.score(),
        explanation.members().stream().mapToDouble(Explanation.MemberShare::share).sum(),
        1e-4);
    assertEquals(
        explanation.score(),
        explanation.liked().stream().mapToDouble(Explanation.LikedItem::share).sum()
            + explanation.zeros()
            + explanation.rest(),
        1e-4);
  }

  @Test
  void anExplanationAddsUpToTheScore() {
    for (String item : List.of("0", "1230", "2990")) {
      Explanation explanation = recommender.explain("1007", item);
      assertEquals(
          model.ensemble().prediction().valueAt(7, Integer.parseInt(item) / 10),
          explanation.score(),
          1e-5);
      assertEquals(model.training().userCount(7), explanation.liked().size());
      assertAddsUp(explanation);
    }
  }

  @Test
  void ranksAreThoseOfTheLists() {
    List<Recommendation> list = recommender.recommend("1007", ITEMS);
    for (int place : new int[] {0, 5, list.size() - 1}) {
      Explanation explanation = recommender.explain("1007", list.get(place).item());
      assertEquals(place + 1, explanation.rank());
      assertEquals(list.size(), explanation.candidates());
      assertEquals(3, explanation.members().size());
    }
  }

  /** Nothing is left over for a new user, whose row is solved for the items as they are. */
  @Test
  void theScoreOfANewUserIsExplainedCompletely() {
    List<String> liked = List.of("10", "2990", "50");
    List<Recommendation> list = recommender.recommendFor(liked, 3);
    Explanation explanation = recommender.explainFor(liked, list.get(1).item());
    assertEquals(list.get(1).score(), explanation.score(), 1e-6);
    assertEquals(2, explanation.rank());
    assertEquals("common-users", explanation.members().get(3).filter());
    assertEquals(0, explanation.rest(), 1e-4);
    assertAddsUp(explanation);
    assertTrue(explanation.liked().get(0).share() >= explanation.liked().get(2).share());
  }
}
