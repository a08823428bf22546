package org.pecf.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.engine.model.ModelStore;
import org.pecf.engine.recommend.Recommendation;
import org.pecf.engine.recommend.Recommender;

/** A model that takes the place of another while requests go on. */
class ReloadTest {
  private static final int CLIENTS = 64;
  private static final int RELOADS = 10;

  @TempDir private static Path folder;
  private static Path first;
  private static Path second;

  @BeforeAll
  static void train() throws IOException {
    first = Bookshop.train(folder, "first", 1);
    second = Bookshop.train(folder, "second", 2);
  }

  private static ServerSettings settings(Path model) {
    ServerSettings usual = ServerSettings.of(model);
    return new ServerSettings(
        model,
        Optional.empty(),
        usual.host(),
        0,
        Set.of(),
        usual.token(),
        usual.tls(),
        usual.limits(),
        usual.accessLog(),
        Optional.of(Duration.ofMillis(20)),
        usual.grace());
  }

  /** Let a place hold a copy of a model at once, as saving does. */
  private static void put(Path model, Path place) throws IOException {
    Path copy = Files.createTempDirectory(folder, "copy");
    try (Stream<Path> files = Files.list(model)) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(file.getFileName()));
      }
    }
    Path link = Files.createSymbolicLink(folder.resolve("link-" + copy.getFileName()), copy);
    Files.move(link, place, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
  }

  /** Return the list that each model gives, by the id of the model. */
  private static Map<String, List<String>> lists(String user) {
    Map<String, List<String>> lists = new HashMap<>();
    for (Path model : List.of(first, second)) {
      try (Recommender recommender = Recommender.open(model)) {
        lists.put(
            ModelStore.fingerprint(model).orElseThrow(),
            recommender.recommend(user, 10).stream().map(Recommendation::item).toList());
      }
    }
    return lists;
  }

  /**
   * Under the load of many clients every answer is whole and of one model, whichever it is; the
   * long form of this is {@code ServeLoad}, with a large model and for minutes.
   */
  @Test
  void noRequestIsLostWhileModelsTakeTurns() throws Exception {
    Path place = folder.resolve("served");
    put(first, place);
    Map<String, List<String>> expected = lists("reader107");
    assertEquals(2, expected.size(), "the models differ");
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    AtomicBoolean done = new AtomicBoolean();
    try (RecommendationServer server = RecommendationServer.start(settings(place))) {
      HttpClient client = HttpClient.newHttpClient();
      HttpRequest request =
          HttpRequest.newBuilder(server.address().resolve("/recommend/reader107")).build();
      ObjectMapper json = new ObjectMapper();
      List<Future<Set<String>>> clients = new ArrayList<>();
      for (int k = 0; k < CLIENTS; k++) {
        clients.add(
            threads.submit(
                () -> {
                  Set<String> models = new java.util.HashSet<>();
                  while (!done.get()) {
                    HttpResponse<String> answer =
                        client.send(request, HttpResponse.BodyHandlers.ofString());
                    assertEquals(200, answer.statusCode(), answer.body());
                    JsonNode list = json.readTree(answer.body());
                    List<String> items = new ArrayList<>();
                    list.get("items").forEach(one -> items.add(one.get("item").asText()));
                    assertEquals(expected.get(list.get("model").asText()), items);
                    models.add(list.get("model").asText());
                  }
                  return models;
                }));
      }
      for (int k = 1; k <= RELOADS; k++) {
        put(k % 2 == 0 ? first : second, place);
        while (server.reloads() < k) {
          assertTrue(clients.stream().noneMatch(Future::isDone), "a client has ended");
          Thread.sleep(5);
        }
      }
      done.set(true);
      Set<String> seen = new java.util.HashSet<>();
      for (Future<Set<String>> one : clients) {
        seen.addAll(one.get());
      }
      assertEquals(expected.keySet(), seen);
    } finally {
      done.set(true);
      threads.shutdown();
    }
  }

  @Test
  void aDamagedModelIsNotServed() throws Exception {
    Path place = folder.resolve("damaged");
    put(first, place);
    try (RecommendationServer server = RecommendationServer.start(settings(place))) {
      Client client = new Client(server.address());
      String id = client.get(200, "/model").get("id").asText();
      Path broken = Files.createTempDirectory(folder, "broken");
      try (Stream<Path> files = Files.list(second)) {
        for (Path file : files.toList()) {
          Files.copy(file, broken.resolve(file.getFileName()));
        }
      }
      Files.write(broken.resolve("item-ids.arrow"), new byte[] {1, 2, 3});
      put(broken, place);
      JsonNode facts = client.get(200, "/model");
      while (!facts.has("problem")) {
        Thread.sleep(10);
        facts = client.get(200, "/model");
      }
      assertTrue(facts.get("problem").asText().contains("item-ids.arrow"), facts.toString());
      assertEquals(id, facts.get("id").asText());
      client.get(200, "/recommend/reader107");
      put(second, place);
      while (server.reloads() == 0) {
        Thread.sleep(10);
      }
      facts = client.get(200, "/model");
      assertEquals(ModelStore.fingerprint(second).orElseThrow(), facts.get("id").asText());
      assertFalse(facts.has("problem"));
    }
  }
}
