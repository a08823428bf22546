package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.pecf.distribution.Distribution.Outcome;

class TrainingIT {
  private static final String[] SMALL = {
    "--rounds", "1", "--rank", "6", "--iterations", "3", "--cutoffs", "10,20"
  };

  @TempDir private static Path folder;
  private static Outcome trained;

  @BeforeAll
  static void train() throws Exception {
    trained = Distribution.in(folder).run(small("--out", "model")).expectExit(0);
  }

  private static String[] small(String... more) {
    return Stream.of(SMALL, more).flatMap(Stream::of).toArray(String[]::new);
  }

  private static JsonNode json(Path file) throws IOException {
    return new ObjectMapper().readTree(file.toFile());
  }

  @Test
  void resultsAreTablesAndProgressIsPlainLines() {
    assertTrue(
        trained.out().lines().anyMatch(line -> line.matches("recall( +0\\.\\d{4}){4}")),
        trained.out());
    assertTrue(trained.out().contains("2 members, "), trained.out());
    assertTrue(
        trained.err().lines().anyMatch(line -> line.startsWith("member 2/2: wmf joined")),
        trained.err());
    assertFalse(trained.err().contains("\u001b"), "no escapes where nobody watches");
    assertFalse(trained.err().contains("WARN"), trained.err());
  }

  @Test
  void metricsHoldEverythingAboutTheRun() throws Exception {
    JsonNode metrics = json(folder.resolve("model/metrics.json"));
    assertTrue(metrics.at("/complete").asBoolean());
    assertEquals(1, metrics.at("/seed").asInt());
    assertEquals("6", metrics.at("/request/ensemble/filters/0/options/rank").asText());
    assertEquals("4.0", metrics.at("/request/ensemble/filters/0/options/lambda").asText());
    assertEquals("synthetic", metrics.at("/data/format").asText());
    assertEquals(64, metrics.at("/data/fingerprint").asText().length());
    assertEquals(
        metrics.at("/data/positives").asInt(),
        metrics.at("/data/parts/training").asInt()
            + metrics.at("/data/parts/validation").asInt()
            + metrics.at("/data/parts/test").asInt());
    assertEquals("cpu", metrics.at("/backend/id").asText());
    assertEquals(2, metrics.at("/rounds").size());
    double weights =
        metrics.at("/rounds/0/weight").asDouble() + metrics.at("/rounds/1/weight").asDouble();
    assertEquals(1, weights, 1e-9);
    assertTrue(metrics.at("/rounds/1/objective").asDouble() > 0);
    assertTrue(metrics.at("/rounds/1/validation/recall@10").isNumber());
    assertEquals(2, metrics.at("/plans/1/member").asInt());
    double recall = metrics.at("/metrics/test/recall@10").asDouble();
    assertTrue(
        recall > 10.0 / metrics.at("/data/items").asDouble(), "better than by chance: " + recall);
    assertTrue(metrics.at("/metrics/validation/wmse").isNumber());
    assertTrue(metrics.at("/seconds/total").asDouble() > 0);
    long peak = metrics.at("/memory/peakBytes").asLong();
    assertTrue(peak > 0, "no memory was taken");
    assertTrue(
        peak <= metrics.at("/memory/estimatedBytes").asLong(),
        () -> metrics.at("/memory").toString());
    assertEquals(
        System.getProperty("pecf.version"), metrics.at("/versions/plugins/filter wmf").asText());
    assertTrue(metrics.at("/versions/plugins/backend cpu").isTextual());
    assertTrue(metrics.at("/versions/plugins/loader synthetic").isTextual());
  }

  @Test
  void everyFigureNamesItsProtocol() throws Exception {
    JsonNode metrics = json(folder.resolve("model/metrics.json"));
    assertEquals("positives:3:1:1", metrics.at("/protocol/split").asText());
    assertEquals("all-but-known", metrics.at("/protocol/candidates").asText());
    assertTrue(metrics.at("/protocol/caveat").isMissingNode());
    assertTrue(
        trained
            .out()
            .contains(
                "split positives:3:1:1; ranked: all items but the positives of earlier parts"),
        trained.out());
    JsonNode model = json(folder.resolve("model/manifest.json"));
    assertEquals("positives:3:1:1", model.at("/request/split").asText());
    assertEquals("all-but-known", model.at("/request/evaluation/candidates").asText());
  }

  @Test
  void aPolicyThatRewardsMemorisingSaysSo() throws Exception {
    String[] divided = {"--construction", "single", "--rank", "6", "--split", "paper"};
    Outcome own =
        Distribution.in(folder)
            .run(
                Stream.concat(Stream.of(divided), Stream.of("--path", "corrected"))
                    .toArray(String[]::new));
    assertTrue(own.out().contains("ranked: the part's own cells only"), own.out());
    assertFalse(own.out().contains("Caution"), own.out());
    assertTrue(own.err().contains("held-out cells count by expectation"), own.err());
    Outcome all =
        Distribution.in(folder)
            .run(
                Stream.concat(Stream.of(divided), Stream.of("--candidates", "all-but-training"))
                    .toArray(String[]::new));
    assertTrue(all.out().contains("Caution: zeros that training has seen are ranked"), all.out());
  }

  /** Under a strong penalty the line search on training error keeps one member of five. */
  @Test
  void noMemberIsDiscardedUnderAStrongPenalty() throws Exception {
    String[] strong = {
      "--rank",
      "20",
      "--lambda",
      "10",
      "--confidence",
      "1:0.1",
      "--set",
      "wmf.frequency-exponent=1",
      "--rounds",
      "4",
      "--metrics-json",
      "strong.json"
    };
    Distribution.in(folder).run(strong).expectExit(0);
    for (JsonNode round : json(folder.resolve("strong.json")).at("/rounds")) {
      assertTrue(round.get("weight").asDouble() > 0.02, round.toString());
    }
    String[] literal = {"--alpha", "dynamic", "--scaling", "unit"};
    Distribution.in(folder)
        .run(Stream.of(strong, literal).flatMap(Stream::of).toArray(String[]::new))
        .expectExit(0);
    List<Double> weights = new ArrayList<>();
    json(folder.resolve("strong.json"))
        .at("/rounds")
        .forEach(round -> weights.add(round.get("weight").asDouble()));
    assertEquals(List.of(0.0, 1.0, 0.0, 0.0, 0.0), weights);
  }

  @Test
  void logIsInTheOutputFolder() throws Exception {
    String log = Files.readString(folder.resolve("model/run.log"));
    assertTrue(log.contains("member 2/2: wmf joined"), log);
    assertTrue(log.contains(" MB estimated"), log);
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(
          List.of(), left.filter(path -> path.toString().endsWith("model.run.log")).toList());
    }
  }

  @Test
  void storedModelMeasuresTheSame() throws Exception {
    Outcome outcome =
        Distribution.in(folder)
            .run("evaluate", "model", "--metrics-json", "again.json", "--threads", "1")
            .expectExit(0);
    assertEquals(
        json(folder.resolve("model/metrics.json")).at("/metrics"),
        json(folder.resolve("again.json")).at("/metrics"));
    List<String> table = outcome.out().lines().toList();
    assertTrue(trained.out().lines().toList().containsAll(table), outcome.out());
  }

  @Test
  void modelRecommendsByTheIdsOfTheData() throws Exception {
    Files.writeString(folder.resolve("users.txt"), "17\n\n3\n");
    Outcome fresh =
        Distribution.in(folder)
            .run(
                "recommend",
                "model",
                "--users",
                "users.txt",
                "--top",
                "4",
                "--output-format",
                "json")
            .expectExit(0);
    JsonNode lists = new ObjectMapper().readTree(fresh.out());
    assertEquals(17, lists.at("/0/user").asInt());
    assertEquals(3, lists.at("/1/user").asInt());
    assertEquals(4, lists.at("/0/items").size());
    assertTrue(lists.at("/0/items/0/score").asDouble() >= lists.at("/0/items/3/score").asDouble());

    Outcome all =
        Distribution.in(folder)
            .run(
                "recommend",
                "model",
                "--user",
                "17",
                "--top",
                "100000",
                "--include-known",
                "--output-format",
                "csv")
            .expectExit(0);
    int items = json(folder.resolve("model/metrics.json")).at("/data/items").asInt();
    assertEquals(items + 1, all.out().lines().count(), "a header and every item");
  }

  @Test
  void anotherRunDoesNotReplaceTheModelUnlessAsked() throws Exception {
    Path other = Files.createDirectory(folder.resolve("other"));
    Distribution.copy(folder.resolve("model"), other.resolve("model"));
    Outcome refused = Distribution.in(other).run(small("--out", "model")).expectExit(2);
    assertEquals(1, refused.err().lines().count(), refused.err());
    assertTrue(refused.err().contains("holds a model already"), refused.err());
    Distribution.in(other).run(small("--out", "model", "--overwrite", "--seed", "2")).expectExit(0);
    assertEquals(2, json(other.resolve("model/metrics.json")).at("/seed").asInt());
  }

  static List<Path> otherJdks() {
    return Jdks.others();
  }

  @ParameterizedTest
  @MethodSource("otherJdks")
  void newerJavaGivesTheSameFiguresWithoutWarnings(Path javaHome) throws Exception {
    Assumptions.assumeFalse(
        Files.isSameFile(javaHome, Path.of(System.getProperty("java.home"))),
        "there is no other JDK of release 24 or 25; PECF_TEST_JDKS can name some");
    String name = javaHome.getFileName().toString() + ".json";
    Outcome outcome =
        Distribution.in(folder)
            .with("JAVA_HOME", javaHome.toString())
            .run(small("--metrics-json", name))
            .expectExit(0);
    assertFalse(outcome.err().contains("WARNING"), outcome.err());
    assertEquals(
        json(folder.resolve("model/metrics.json")).at("/metrics"),
        json(folder.resolve(name)).at("/metrics"));
  }
}
