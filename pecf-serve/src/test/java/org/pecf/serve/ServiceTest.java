package org.pecf.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.engine.model.ModelStore;
import org.pecf.engine.recommend.Explanation;
import org.pecf.engine.recommend.Recommendation;
import org.pecf.engine.recommend.RecommendationRequest;
import org.pecf.engine.recommend.Recommender;

/** The answers of the service, beside those of the library. */
class ServiceTest {
  @TempDir private static Path folder;
  private static Path model;
  private static Path titles;
  private static RecommendationServer server;
  private static Recommender recommender;
  private static Client client;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    model = Bookshop.train(folder, "model", 1);
    titles = Bookshop.writeTitles(folder);
    server = RecommendationServer.start(settings(model, titles));
    recommender = Recommender.open(model);
    client = new Client(server.address());
  }

  @AfterAll
  static void stop() {
    server.close();
    recommender.close();
  }

  static ServerSettings settings(Path model, Path titles) {
    ServerSettings usual = ServerSettings.of(model);
    return new ServerSettings(
        model,
        Optional.of(titles),
        usual.host(),
        usual.port(),
        usual.hostNames(),
        usual.token(),
        usual.tls(),
        usual.limits(),
        usual.accessLog(),
        usual.watch(),
        usual.grace());
  }

  private static List<Recommendation> list(JsonNode answer) {
    List<Recommendation> list = new ArrayList<>();
    answer
        .get("items")
        .forEach(
            one ->
                list.add(
                    new Recommendation(
                        one.get("item").asText(), (float) one.get("score").asDouble())));
    return list;
  }

  @Test
  void listsAreThoseOfTheLibrary() throws IOException, InterruptedException {
    JsonNode answer = client.get(200, "/recommend/reader107?count=5");
    assertEquals(recommender.recommend("reader107", 5), list(answer));
    assertEquals("reader107", answer.get("user").asText());
    assertEquals(ModelStore.fingerprint(model).orElseThrow(), answer.get("model").asText());
    assertEquals(10, list(client.get(200, "/recommend/reader107")).size());
    assertEquals(
        recommender.recommend("reader107", RecommendationRequest.top(7).withKnown()),
        list(client.get(200, "/recommend/reader107?count=7&includeKnown=true")));
    assertEquals(
        recommender.recommend(
            "reader107",
            RecommendationRequest.top(4)
                .only(List.of("b101", "b102", "b103", "b150"))
                .without(List.of("b102"))),
        list(
            client.get(
                200,
                "/recommend/reader107?count=4&only=b101&only=b102&only=b103&only=b150&exclude=b102")));
  }

  @Test
  void newUsersAreTakenIn() throws IOException, InterruptedException {
    List<String> history = List.of("b120", "b121", "b125");
    assertEquals(
        recommender.recommendFor(history, 6),
        list(
            client.post(
                200, "/recommend", "{\"history\":[\"b120\",\"b121\",\"b125\"],\"count\":6}")));
    JsonNode ignoring =
        client.post(
            200,
            "/recommend",
            "{\"history\":[\"b120\",\"b121\",\"b125\",\"b999\",7],\"count\":6,"
                + "\"unknownItems\":\"ignore\",\"exclude\":[\"b122\"],\"only\":null}");
    assertEquals(2, ignoring.get("unknown").asInt());
    assertEquals(
        recommender.recommendFor(history, RecommendationRequest.top(6).without(List.of("b122"))),
        list(ignoring));
    client.post(422, "/recommend", "{\"history\":[\"b120\",\"b999\"]}");
  }

  @Test
  void whoIsUnknownGetsWhatIsPopular() throws IOException, InterruptedException {
    List<Recommendation> popular = recommender.recommendFor(List.of(), 4);
    assertEquals("model", client.get(200, "/recommend/reader107").get("source").asText());
    JsonNode unknown = client.get(200, "/recommend/nobody?count=4");
    assertEquals("popular", unknown.get("source").asText());
    assertEquals(popular, list(unknown));
    JsonNode empty = client.post(200, "/recommend", "{\"history\":[],\"count\":4}");
    assertEquals("popular", empty.get("source").asText());
    assertEquals(popular, list(empty));
    String none = "{\"history\":[\"b999\"],\"count\":4,\"unknownItems\":\"ignore\"";
    assertEquals(popular, list(client.post(200, "/recommend", none + "}")));
    client.post(422, "/recommend", none + ",\"fallback\":\"none\"}");
  }

  @Test
  void similarItemsAndExplanations() throws IOException, InterruptedException {
    JsonNode similar = client.get(200, "/similar/b140?count=3");
    assertEquals(recommender.similar("b140", 3), list(similar));
    assertEquals(Bookshop.title(40), similar.get("item").get("title").asText());
    Explanation expected = recommender.explain("reader103", "b130");
    JsonNode parts = client.get(200, "/explain?user=reader103&item=b130&count=2");
    assertEquals(expected.score(), parts.get("score").asDouble(), 1e-9);
    assertEquals(expected.rank(), parts.get("rank").asInt());
    assertEquals(2, parts.get("liked").size());
    assertEquals(expected.members().size(), parts.get("members").size());
    assertAddsUp(parts);
    JsonNode ofNew =
        client.post(200, "/explain", "{\"history\":[\"b120\",\"b121\"],\"item\":\"b122\"}");
    assertEquals(
        recommender.explainFor(List.of("b120", "b121"), "b122").score(),
        ofNew.get("score").asDouble(),
        1e-9);
    assertAddsUp(ofNew);
  }

  private static void assertAddsUp(JsonNode parts) {
    double members = 0;
    for (JsonNode member : parts.get("members")) {
      members += member.get("share").asDouble();
    }
    double liked = parts.get("others").asDouble();
    for (JsonNode one : parts.get("liked")) {
      liked += one.get("share").asDouble();
    }
    double score = parts.get("score").asDouble();
    assertEquals(score, members, 1e-5);
    assertEquals(score, liked + parts.get("zeros").asDouble() + parts.get("rest").asDouble(), 1e-5);
  }

  @Test
  void searchesAndHistory() throws IOException, InterruptedException {
    JsonNode found = client.get(200, "/items?search=lighthouse");
    assertEquals(
        IntStream.range(0, 99)
            .filter(book -> Bookshop.title(book).contains("Lighthouse"))
            .mapToObj(Bookshop::id)
            .collect(Collectors.toSet()),
        ids(found));
    assertEquals(Set.of("b177"), ids(client.get(200, "/items?search=b177")));
    assertEquals(3, client.get(200, "/items?search=the&count=3").get("items").size());
    assertEquals(Set.of("b100"), ids(client.get(200, "/items?search=%3Cscript%3E")));
    JsonNode users = client.get(200, "/users?search=reader25&count=4");
    assertEquals("reader250", users.get("users").get(0).asText());
    assertEquals(4, users.get("users").size());
    JsonNode history = client.get(200, "/history/reader107");
    assertEquals(new TreeSet<>(recommender.liked("reader107")), ids(history));
    assertFalse(history.get("items").get(0).get("title").asText().isEmpty());
  }

  private static Set<String> ids(JsonNode answer) {
    Set<String> ids = new TreeSet<>();
    answer.get("items").forEach(one -> ids.add(one.get("item").asText()));
    return ids;
  }

  @Test
  void factsOfTheModel() throws IOException, InterruptedException {
    JsonNode facts = client.get(200, "/model");
    assertEquals(Bookshop.READERS, facts.get("users").asInt());
    assertEquals(100, facts.get("items").asInt());
    assertTrue(facts.get("metrics").get("test").get("recall@50").asDouble() > 0);
    assertEquals("wmf", facts.at("/options/ensemble/filters/0/id").asText("wmf"));
    assertFalse(facts.toString().contains(folder.getFileName().toString() + "/model"));
  }

  @Test
  void healthAndMeasurements() throws IOException, InterruptedException {
    assertEquals("alive", client.get(200, "/live").get("status").asText());
    assertEquals("ready", client.get(200, "/ready").get("status").asText());
    client.get(404, "/recommend/nobody?fallback=none");
    HttpResponse<String> metrics = plain("GET", "/metrics");
    assertEquals(200, metrics.statusCode());
    String text = metrics.body();
    assertTrue(
        text.contains("pecf_requests_total{route=\"/recommend/{user}\",status=\"404\"}"), text);
    assertTrue(text.contains("pecf_request_duration_seconds_bucket{route=\"/live\",le="), text);
    assertTrue(text.contains("pecf_model_users 200.0"), text);
    assertTrue(
        metrics.headers().firstValue("Content-Type").orElse("").startsWith("text/plain"),
        metrics.headers().toString());
  }

  private static HttpResponse<String> plain(String method, String path)
      throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(server.address() + path.substring(1)))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void badRequestsAreExplained() throws IOException, InterruptedException {
    assertDetail(
        "no user with the id 'no/body'", client.get(404, "/recommend/no%2Fbody?fallback=none"));
    assertDetail("none of: popular", client.get(400, "/recommend/reader107?fallback=x"));
    assertDetail("no item with the id 'b999'", client.get(404, "/similar/b999"));
    assertDetail("no item", client.get(404, "/explain?user=reader103&item=b999"));
    client.get(404, "/explain?user=x&item=b120");
    client.get(404, "/history/x");
    assertDetail("'item' is missing", client.get(400, "/explain?user=reader103"));
    assertDetail("no parameter 'cuont'", client.get(400, "/recommend/reader107?cuont=5"));
    assertDetail("1 to 1000", client.get(400, "/recommend/reader107?count=1001"));
    assertDetail("1 to 1000", client.get(400, "/recommend/reader107?count=0"));
    assertDetail("whole number", client.get(400, "/recommend/reader107?count=1e3"));
    assertDetail("twice", client.get(400, "/recommend/reader107?count=1&count=2"));
    assertDetail("neither true", client.get(400, "/recommend/reader107?includeKnown=1"));
    assertDetail("not JSON", client.post(400, "/recommend", "{\"history\":"));
    assertDetail("not a JSON object", client.post(400, "/recommend", "[1]"));
    assertDetail("not JSON", client.post(400, "/recommend", "{\"history\":[\"a\"]} x"));
    assertDetail("missing", client.post(400, "/recommend", "{}"));
    assertDetail("empty", client.post(400, "/recommend", "{\"history\":[],\"fallback\":\"none\"}"));
    assertDetail("no field 'histroy'", client.post(400, "/recommend", "{\"histroy\":[]}"));
    assertDetail("neither a text", client.post(400, "/recommend", "{\"history\":[1.5]}"));
    assertDetail("not a list", client.post(400, "/recommend", "{\"history\":\"b100\"}"));
    assertDetail(
        "none of", client.post(400, "/recommend", "{\"history\":[1],\"unknownItems\":\"x\"}"));
    assertDetail("nothing at this path", client.get(404, "/nothing"));
    assertDetail("no such part", client.get(404, "/page/..%2Fopenapi.json"));
    assertDetail("not encoded in UTF-8", client.get(400, "/items?search=%ff"));
    client.get(400, "/model?x");
    client.post(405, "/model", "{}");
    client.post(403, "/model/reload", "");
    String many = "\"b120\",".repeat(10_001);
    assertDetail(
        "10000 or fewer", client.post(400, "/recommend", "{\"history\":[" + many + "\"b120\"]}"));
    assertDetail(
        "larger than", client.post(413, "/recommend", "{\"history\":[" + many.repeat(20) + "1]}"));
    Client texts = new Client(server.address()).with("Content-Type", "text/plain");
    assertDetail("application/json", texts.post(415, "/recommend", "{}"));
  }

  private static void assertDetail(String part, JsonNode problem) {
    assertTrue(problem.get("detail").asText().contains(part), problem.toString());
  }

  @Test
  void methodsThatAreNotThere() throws IOException, InterruptedException {
    HttpResponse<String> wrong = plain("DELETE", "/explain");
    assertEquals(405, wrong.statusCode());
    assertEquals("GET, POST, HEAD", wrong.headers().firstValue("Allow").orElse(""));
    HttpResponse<String> head = plain("HEAD", "/recommend/reader107");
    assertEquals(200, head.statusCode());
    assertEquals("", head.body());
    assertEquals(405, plain("TRACE", "/").statusCode());
  }

  @Test
  void answersProtectThePage() throws IOException, InterruptedException {
    for (String path : List.of("/", "/page/page.js", "/model", "/nothing")) {
      HttpResponse<String> response = plain("GET", path);
      String policy = response.headers().firstValue("Content-Security-Policy").orElse("");
      assertTrue(policy.contains("default-src 'none'"), path + policy);
      assertFalse(policy.contains("unsafe"), policy);
      assertEquals("nosniff", response.headers().firstValue("X-Content-Type-Options").orElse(""));
      assertTrue(response.headers().firstValue("Server").isEmpty(), "no version is given away");
      assertTrue(response.headers().firstValue("Access-Control-Allow-Origin").isEmpty());
    }
  }

  @Test
  void routesAndTheirParametersAreThoseOfTheDescription() {
    JsonNode description = client.description();
    Map<String, Set<String>> described = new TreeMap<>();
    for (Map.Entry<String, JsonNode> path : description.get("paths").properties()) {
      for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
        Set<String> names = new TreeSet<>();
        for (JsonNode stated : operation.getValue().path("parameters")) {
          JsonNode parameter = followed(description, stated);
          if (parameter.get("in").asText().equals("query")) {
            names.add(parameter.get("name").asText());
          }
        }
        JsonNode body = operation.getValue().at("/requestBody/content/application~1json/schema");
        followed(description, body).path("properties").fieldNames().forEachRemaining(names::add);
        described.put(operation.getKey().toUpperCase() + " " + path.getKey(), names);
      }
    }
    Map<String, Set<String>> served = new TreeMap<>();
    for (Route route : Route.values()) {
      served.put(route.method() + " " + route.template(), new TreeSet<>(route.parameters()));
    }
    assertEquals(served, described);
  }

  private static JsonNode followed(JsonNode description, JsonNode stated) {
    return stated.has("$ref") ? description.at(stated.get("$ref").asText().substring(1)) : stated;
  }
}
