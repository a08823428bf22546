package org.pecf.engine.recommend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
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
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.field.CellField;
import org.pecf.api.run.RunListener;
import org.pecf.engine.model.ModelStore;
import org.pecf.engine.model.Opening;
import org.pecf.engine.model.StoredModel;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.request.ComputeRequest;
import org.pecf.engine.resource.Workspace;

class RecommenderTest {
  private static final int USERS = 40;
  private static final int ITEMS = 1300;

  @TempDir private Path folder;
  private final BufferAllocator allocator = new RootAllocator();
  private StoredModel model;
  private Path place;

  @BeforeEach
  void save() {
    model = RandomModel.of(USERS, ITEMS, 1, allocator, 3, 1, 0, 17);
    place = folder.resolve("model");
    ModelStore.save(place, model, false, allocator);
  }

  @AfterEach
  void close() {
    model.close();
    allocator.close();
  }

  private boolean known(int user, int item) {
    return model.training().contains(user, item) || model.alsoKnown().contains(user, item);
  }

  /** Rank by the definition of a score. */
  private List<Recommendation> expected(int user, int count, boolean includeKnown) {
    CellField prediction = model.ensemble().prediction();
    return IntStream.range(0, ITEMS)
        .boxed()
        .filter(item -> includeKnown || !known(user, item))
        .sorted(Comparator.comparing(item -> -prediction.valueAt(user, item)))
        .limit(count)
        .map(item -> new Recommendation("" + item * 10, prediction.valueAt(user, item)))
        .toList();
  }

  @Test
  void listsHaveTheBitsOfTheDefinition() {
    try (Recommender recommender = Recommender.open(place)) {
      for (int user = 0; user < USERS; user++) {
        String id = Integer.toString(1000 + user);
        assertEquals(expected(user, 10, false), recommender.recommend(id, 10));
        assertEquals(
            expected(user, 600, true),
            recommender.recommend(id, RecommendationRequest.top(600).withKnown()));
      }
    }
  }

  @Test
  void listsEndWhereItemsDo() {
    try (Recommender recommender = Recommender.open(place)) {
      int known = model.training().userCount(3) + model.alsoKnown().userCount(3);
      assertTrue(model.alsoKnown().userCount(3) > 0);
      assertEquals(ITEMS - known, recommender.recommend("1003", Integer.MAX_VALUE).size());
      assertEquals(
          ITEMS,
          recommender.recommend("1003", RecommendationRequest.top(ITEMS + 1).withKnown()).size());
    }
  }

  @Test
  void listsOfManyUsersComeInTheirOrder() {
    List<String> users = new ArrayList<>();
    Random random = new Random(2);
    for (int k = 0; k < 3000; k++) {
      users.add(Integer.toString(1000 + random.nextInt(USERS)));
    }
    try (Recommender recommender = Recommender.open(place)) {
      List<UserRecommendations> lists = new ArrayList<>();
      recommender.recommend(users, RecommendationRequest.top(5)).forEach(lists::add);
      assertEquals(users, lists.stream().map(UserRecommendations::user).toList());
      for (UserRecommendations list : lists.subList(0, 50)) {
        assertEquals(
            expected(Integer.parseInt(list.user()) - 1000, 5, false), list.items(), list.user());
      }
    }
  }

  @Test
  void listsHoldOnlyTheItemsAskedFor() {
    List<String> only = List.of("10", "200", "3000", "4000", "no such item", "12990");
    RecommendationRequest request =
        RecommendationRequest.top(4).withKnown().only(only).without(List.of("200", "7"));
    try (Recommender recommender = Recommender.open(place)) {
      List<UserRecommendations> lists = recommender.recommendToAll(request).toList();
      assertEquals(USERS, lists.size());
      for (int user = 0; user < USERS; user++) {
        List<Recommendation> expected =
            expected(user, ITEMS, true).stream()
                .filter(item -> List.of("10", "3000", "4000", "12990").contains(item.item()))
                .toList();
        assertEquals(Integer.toString(1000 + user), lists.get(user).user());
        assertEquals(expected, lists.get(user).items());
        assertEquals(expected, recommender.recommend(lists.get(user).user(), request));
      }
      RecommendationRequest none = RecommendationRequest.top(3).only(List.of());
      assertEquals(List.of(), recommender.recommend("1003", none));
    }
  }

  @Test
  void manyThreadsGetTheSameAnswers() throws Exception {
    Map<String, List<Recommendation>> alone = new TreeMap<>();
    try (Recommender recommender = Recommender.open(place)) {
      for (int user = 0; user < USERS; user++) {
        alone.put("" + (1000 + user), recommender.recommend("" + (1000 + user), 20));
      }
    }
    ExecutorService threads = Executors.newFixedThreadPool(16);
    try (Recommender recommender = Recommender.open(place)) {
      CountDownLatch start = new CountDownLatch(1);
      List<Future<Void>> calls = new ArrayList<>();
      for (int thread = 0; thread < 16; thread++) {
        int seed = thread;
        Callable<Void> call =
            () -> {
              start.await();
              Random random = new Random(seed);
              for (int k = 0; k < 100; k++) {
                String user = "" + (1000 + random.nextInt(USERS));
                assertEquals(alone.get(user), recommender.recommend(user, 20));
              }
              return null;
            };
        calls.add(threads.submit(call));
      }
      start.countDown();
      for (Future<Void> call : calls) {
        call.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void closingWaitsForCallsAndEndsTheNextOnes() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      Recommender recommender = Recommender.open(place);
      CountDownLatch busy = new CountDownLatch(8);
      List<Future<Integer>> calls = new ArrayList<>();
      for (int thread = 0; thread < 8; thread++) {
        calls.add(
            threads.submit(
                () -> {
                  int answered = 0;
                  try {
                    while (true) {
                      assertEquals(10, recommender.recommend("1001", 10).size());
                      if (++answered == 1) {
                        busy.countDown();
                      }
                    }
                  } catch (IllegalStateException e) {
                    assertEquals("the recommender is closed", e.getMessage());
                  }
                  return answered;
                }));
      }
      busy.await();
      recommender.close();
      recommender.close();
      for (Future<Integer> call : calls) {
        assertTrue(call.get() > 0);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void anUnknownUserGetsWhatIsPopularOrIsNamed() {
    try (Recommender recommender = Recommender.open(place)) {
      Map<String, Integer> counts = new HashMap<>();
      for (int user = 0; user < recommender.users().size(); user++) {
        recommender
            .liked(recommender.users().textAt(user))
            .forEach(item -> counts.merge(item, 1, Integer::sum));
      }
      List<Recommendation> popular =
          counts.entrySet().stream()
              .sorted(
                  Map.Entry.<String, Integer>comparingByValue()
                      .reversed()
                      .thenComparing(one -> recommender.items().search(one.getKey()).orElseThrow()))
              .map(one -> new Recommendation(one.getKey(), one.getValue()))
              .toList();
      assertEquals(popular.subList(0, 5), recommender.recommend("7", 5));
      String best = popular.get(0).item();
      RecommendationRequest others = RecommendationRequest.top(4).without(List.of(best));
      assertEquals(
          List.of(
              new UserRecommendations(
                  "1001", UserRecommendations.Source.MODEL, recommender.recommend("1001", others)),
              new UserRecommendations(
                  "7", UserRecommendations.Source.POPULAR, popular.subList(1, 5))),
          recommender.recommend(List.of("1001", "7"), others).toList());
      RecommendationRequest strict = RecommendationRequest.top(1).asStrict();
      PecfException e = assertThrows(PecfException.class, () -> recommender.recommend("7", strict));
      assertEquals(ErrorCode.BAD_OPTION, e.code());
      assertTrue(e.getMessage().contains("'7'"), e.getMessage());
      assertThrows(PecfException.class, () -> recommender.recommend(List.of("1001", "7"), strict));
    }
    assertThrows(PecfException.class, () -> RecommendationRequest.top(0));
  }

  @Test
  void aDamagedModelIsRefusedAndLeavesNoMemory() throws IOException {
    Path file = place.resolve("member-001-items.arrow");
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);
    // A root allocator that is closed with memory in use fails.
    PecfException e =
        assertThrows(PecfException.class, () -> Recommender.open(place, Opening.VERIFIED));
    assertEquals(ErrorCode.BAD_MODEL, e.code());
    assertEquals(0, e.getSuppressed().length);
    Workspace workspace = workspace("auto", 1);
    e = assertThrows(PecfException.class, () -> Recommender.open(place, workspace));
    assertEquals(ErrorCode.BAD_MODEL, e.code());
    assertEquals(0, e.getSuppressed().length);
  }

  private static Workspace workspace(String backend, int threads) {
    return new Workspace(
        PluginCatalog.builtIn(),
        ComputeRequest.of(
            Map.of("backend", backend, "threads", Integer.toString(threads), "memory", "64m")),
        RunListener.none(),
        () -> false);
  }

  @Test
  void whereNoBackendIsAvailablePlainJavaRanks() {
    assertFalse(PluginCatalog.builtIn().plugins().isEmpty());
    try (Recommender recommender = Recommender.open(place, workspace("auto", 4))) {
      List<UserRecommendations> lists = new ArrayList<>();
      List<String> users =
          IntStream.range(0, USERS).mapToObj(user -> Integer.toString(1000 + user)).toList();
      recommender.recommend(users, RecommendationRequest.top(7)).forEach(lists::add);
      for (int user = 0; user < USERS; user++) {
        assertEquals(expected(user, 7, false), lists.get(user).items());
      }
    }
    Workspace named = workspace("cpu", 1);
    PecfException e = assertThrows(PecfException.class, () -> Recommender.open(place, named));
    assertEquals(ErrorCode.UNAVAILABLE, e.code());
  }

  @Test
  void aCancelledRunEndsBeforeTheNextLists() {
    List<UserRecommendations> lists = new ArrayList<>();
    ComputeRequest standard = ComputeRequest.standard();
    Workspace workspace =
        new Workspace(
            PluginCatalog.builtIn(), standard, RunListener.none(), () -> !lists.isEmpty());
    try (Recommender recommender = Recommender.open(place, workspace)) {
      List<String> users = Collections.nCopies(1500, "1001");
      PecfException e =
          assertThrows(
              PecfException.class,
              () -> recommender.recommend(users, RecommendationRequest.top(1)).forEach(lists::add));
      assertEquals(ErrorCode.CANCELLED, e.code());
      assertTrue(lists.size() < users.size());
    }
  }
}
