package org.pecf.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.api.data.Part;
import org.pecf.api.run.RunListener;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.recommend.MeasuredModel;
import org.pecf.engine.recommend.ModelEvaluation;
import org.pecf.engine.recommend.Recommendation;
import org.pecf.engine.recommend.RecommendationRequest;
import org.pecf.engine.recommend.Recommender;
import org.pecf.engine.recommend.UserRecommendations;
import org.pecf.engine.request.ComputeRequest;
import org.pecf.engine.resource.Workspace;
import org.pecf.engine.run.Training;
import org.pecf.engine.run.TrainingResult;
import org.pecf.engine.run.TrainingRunEvent.RefitStarted;

/** A model that the library trains and saves, used by the library and by the commands. */
class StoredModelTest extends RecordedApplication {
  @TempDir private Path folder;
  private Path place;
  private Map<String, Double> measured;
  private Set<String> used;

  @BeforeEach
  void train() throws IOException {
    StringBuilder rows = new StringBuilder("user,item\n");
    for (int k = 0; k < 900; k++) {
      rows.append(k % 60).append(',').append((k * k + k % 7) % 97).append('\n');
    }
    Path data = Files.writeString(folder.resolve("ratings.csv"), rows);
    place = folder.resolve("model");
    try (TrainingResult result =
        Training.on(data.toString()).filter("wmf", Map.of("rank", "6")).rounds(2).run()) {
      result.save(place);
      measured = result.reports().get(Part.TEST).named();
      used = result.plugins().keySet();
    }
  }

  @Test
  void aResultNamesEveryProviderThatTheRunUsed() {
    assertEquals(
        Set.of("alpha uniform", "backend cpu", "filter wmf", "loader csv", "weighting posterior"),
        used);
  }

  @Test
  void theLibraryMeasuresAStoredModelAsItsTrainingDid() {
    MeasuredModel again = ModelEvaluation.of(place).run();
    assertEquals(List.of("validation", "test"), List.copyOf(again.reports().keySet()));
    assertEquals(measured, again.reports().get("test").named());
    assertEquals(again.dataFingerprint(), again.description().dataFingerprint());
    MeasuredModel shorter = ModelEvaluation.of(place).cutoffs(List.of(5)).run();
    assertTrue(shorter.reports().get("test").value("recall@5") > 0);
  }

  @Test
  void aSampleOfUsersIsTheSameAtAnyNumberOfThreads() throws IOException {
    ObjectMapper json = new ObjectMapper();
    List<JsonNode> results = new ArrayList<>();
    for (String threads : List.of("1", "3")) {
      Path file = folder.resolve("metrics-" + threads + ".json");
      assertEquals(
          0,
          execute(
              "evaluate",
              place.toString(),
              "--sample-users",
              "20:4",
              "--cutoffs",
              "5",
              "--threads",
              threads,
              "--metrics-json",
              file.toString()),
          err());
      results.add(json.readTree(file.toFile()));
    }
    assertEquals(results.get(0).at("/metrics"), results.get(1).at("/metrics"));
    JsonNode sample = results.get(0).at("/samples/test");
    assertEquals(sample, results.get(1).at("/samples/test"));
    assertEquals(20, sample.get("measured").asInt());
    int all = sample.get("all").asInt();
    assertTrue(all > 20 && all <= 60, sample.toString());
    double error = sample.at("/standardErrors/recall@5").asDouble();
    assertTrue(error > 0 && error < 0.2, sample.toString());
    String value =
        String.format(Locale.ROOT, "%.4f", results.get(0).at("/metrics/test/recall@5").asDouble());
    assertTrue(out().contains(value + " +-" + String.format(Locale.ROOT, "%.4f", error)), out());
    assertTrue(out().contains("test: lists of 20 of " + all + " users, +- standard error"), out());
  }

  @Test
  void metricsOfAllUsersHaveNoStandardErrors() throws IOException {
    Path file = folder.resolve("metrics.json");
    assertEquals(
        0,
        execute(
            "evaluate",
            place.toString(),
            "--sample-users",
            "1000",
            "--metrics-json",
            file.toString()),
        err());
    JsonNode results = new ObjectMapper().readTree(file.toFile());
    assertFalse(results.has("samples"), results.toString());
    assertFalse(out().contains("+-"), out());
    measured.forEach(
        (key, value) -> assertEquals(value, results.at("/metrics/test/" + key).asDouble(), key));
  }

  @Test
  void plainJavaAndTheBackendGiveTheSameLists() {
    List<String> users = IntStream.range(0, 60).mapToObj(Integer::toString).toList();
    RecommendationRequest request = RecommendationRequest.top(8);
    List<UserRecommendations> onBackend = new ArrayList<>();
    Workspace workspace =
        new Workspace(
            PluginCatalog.builtIn(), ComputeRequest.standard(), RunListener.none(), () -> false);
    try (Recommender recommender = Recommender.open(place, workspace)) {
      recommender.recommend(users, request).forEach(onBackend::add);
    }
    try (Recommender recommender = Recommender.open(place)) {
      for (int user = 0; user < users.size(); user++) {
        List<Recommendation> expected = onBackend.get(user).items();
        List<Recommendation> actual = recommender.recommend(users.get(user), request);
        for (int k = 0; k < expected.size(); k++) {
          assertEquals(expected.get(k).item(), actual.get(k).item());
          assertEquals(expected.get(k).score(), actual.get(k).score(), 1e-6f);
        }
      }
    }
  }

  @Test
  void theCommandPrintsTheListsOfTheLibrary() {
    assertEquals(
        0,
        execute(
            "recommend",
            place.toString(),
            "--user",
            "17",
            "--user",
            "3",
            "--top",
            "4",
            "--output-format",
            "csv"),
        err());
    List<String> expected = new ArrayList<>(List.of("user,place,item,source"));
    try (Recommender recommender = Recommender.open(place)) {
      for (String user : List.of("17", "3")) {
        int number = 0;
        for (Recommendation item : recommender.recommend(user, 4)) {
          expected.add(user + "," + ++number + "," + item.item() + ",model");
        }
      }
    }
    assertEquals(
        expected, out().lines().map(line -> line.replaceFirst(",[^,]*(,[a-z]+)$", "$1")).toList());
  }

  @Test
  void anUnknownUserOrAFileThatIsNotThereEndsWithOneLine() {
    assertEquals(
        2, execute("recommend", place.toString(), "--user", "99999", "--unknown-users", "error"));
    assertTrue(err().contains("No user has the id '99999'"), err());
    assertEquals("", out());
    Path missing = folder.resolve("ids.txt");
    assertEquals(2, execute("recommend", place.toString(), "--users", missing.toString()));
    assertEquals(
        "pecf-run: error: --users cannot read "
            + missing
            + ": there is no such file. Name a file with one id per line, or - for standard input."
            + System.lineSeparator(),
        err());
  }

  @Test
  void noListHoldsAnItemThatTheDataKnowsOfTheUser() throws IOException {
    StringBuilder rows = new StringBuilder("user,item,rating\n");
    Set<String> known = new HashSet<>();
    for (int k = 0; k < 900; k++) {
      int user = k % 60;
      int item = (k * k + k % 7) % 97;
      rows.append(user).append(',').append(item).append(',').append(1 + k % 5).append('\n');
      known.add(user + "," + item);
    }
    Path data = Files.writeString(folder.resolve("rated.csv"), rows);
    for (String split : List.of("positives:3:1:1", "none")) {
      Path model = folder.resolve("model-of-" + split.replace(':', '-'));
      assertEquals(
          0,
          execute(
              "train",
              "--data " + data + " --positive >=3 --rank 2 --rounds 1 --split " + split,
              model),
          err());
      assertEquals(split.equals("none"), !out().contains("recall"), out());
      try (Recommender recommender = Recommender.open(model)) {
        for (int index = 0; index < recommender.users().size(); index++) {
          String user = recommender.users().textAt(index);
          for (Recommendation item : recommender.recommend(user, 1000)) {
            assertFalse(known.contains(user + "," + item.item()), user + " has " + item);
          }
        }
        assertEquals(
            recommender.items().size(),
            recommender.recommend("3", RecommendationRequest.top(1000).withKnown()).size());
      }
    }
    assertEquals(2, execute("evaluate", folder.resolve("model-of-none").toString()));
    assertTrue(err().contains("was trained on all of this data"), err());
  }

  @Test
  void aRefitTrainsTheMeasuredPlanOnEverything() throws IOException {
    Path refitted = folder.resolve("refitted");
    Path all = folder.resolve("all");
    String data = "--data " + folder.resolve("ratings.csv") + " --rank 3 --seed 5";
    assertEquals(0, execute("train", data + " --rounds 6 --patience 1 --refit", refitted), err());
    assertTrue(out().contains("measured before the refit, on the same plan"), out());
    JsonNode metrics = new ObjectMapper().readTree(refitted.resolve("metrics.json").toFile());
    JsonNode manifest = new ObjectMapper().readTree(refitted.resolve("manifest.json").toFile());
    int members = manifest.get("members").size();
    assertEquals(members, metrics.get("refit").get("members").asInt());
    int positives = metrics.get("data").get("positives").asInt();
    assertEquals(positives, metrics.get("refit").get("positives").asInt());
    assertEquals(positives, manifest.get("trainingPositives").asInt());
    assertTrue(out().contains("trained on all " + positives + " positives"), out());
    assertEquals(metrics.get("metrics"), manifest.get("metrics"));
    assertTrue(manifest.get("metrics").get("test").get("recall@50").asDouble() > 0);
    for (JsonNode json : List.of(metrics, manifest)) {
      assertTrue(json.get("metricsOf").asText().contains("positives:3:1:1"), json::toString);
    }
    // The members are those of a run on all data with as many rounds.
    assertEquals(0, execute("train", data + " --split none --rounds " + (members - 1), all), err());
    for (int member = 0; member < members; member++) {
      for (String side : List.of("users", "items")) {
        String name = String.format("member-%03d-%s.arrow", member, side);
        assertEquals(-1, Files.mismatch(refitted.resolve(name), all.resolve(name)), name);
      }
    }
    assertEquals(2, execute("evaluate", refitted.toString()));
    assertTrue(err().contains("was trained on all of this data"), err());
  }

  /** The model trained in the end is the one of the joined split, and its metrics are its own. */
  @Test
  void aPlanIsTrainedOnValidationTooAndMeasuredOnTheSameTestPart() throws IOException {
    Path last = folder.resolve("last");
    Path joined = folder.resolve("joined");
    String data = "--data " + folder.resolve("ratings.csv") + " --rank 3 --seed 5 --rounds 2";
    assertEquals(0, execute("train", data + " --final validation,training", last), err());
    assertTrue(out().contains("the stored model, trained on training,validation:"), out());
    JsonNode metrics = new ObjectMapper().readTree(last.resolve("metrics.json").toFile());
    JsonNode manifest = new ObjectMapper().readTree(last.resolve("manifest.json").toFile());
    assertEquals(0, execute("train", data + " --split positives:4:0:1", joined), err());
    JsonNode alone = new ObjectMapper().readTree(joined.resolve("metrics.json").toFile());
    assertEquals(alone.get("metrics").get("test"), metrics.get("refit").get("metrics").get("test"));
    assertEquals(alone.get("metrics").get("test"), manifest.get("metrics").get("test"));
    assertEquals(
        alone.get("data").get("parts").get("training"), metrics.get("refit").get("positives"));
    assertEquals("positives:4:0:1", manifest.get("request").get("split").asText());
    for (String side : List.of("users", "items")) {
      String name = "member-001-" + side + ".arrow";
      assertEquals(-1, Files.mismatch(last.resolve(name), joined.resolve(name)), name);
    }
    assertEquals(0, execute("evaluate", last.toString()), err());
    assertEquals(2, execute("train", data + " --final test", folder.resolve("none")));
    assertTrue(err().contains("Write training,validation, or"), err());
    assertEquals(2, execute("train", data + " --refit --final training,validation", joined));
    assertTrue(err().contains("Leave one out"), err());
  }

  @Test
  void aRefitThatCannotBeIsRefusedBeforeTraining() {
    Path refitted = folder.resolve("refitted");
    for (String options :
        List.of(
            "--split none --refit",
            "--refit --alpha dynamic:validation",
            "--refit --patience 2 --chains 2")) {
      assertEquals(2, execute("train", "--data builtin:demo " + options, refitted));
      assertFalse(Files.exists(refitted));
      assertEquals(1, err().lines().count(), err());
    }
    assertEquals(2, execute("--refit"));
    assertTrue(err().contains("--refit has no effect without --out"), err());
    assertEquals(2, execute("--overwrite"));
    assertTrue(err().contains("--overwrite has no effect without --out"), err());
  }

  @Test
  void aCancelledRefitLeavesNothingBehind() {
    boolean[] refitting = {false};
    try (TrainingResult result =
        Training.on(folder.resolve("ratings.csv").toString())
            .filter("wmf", Map.of("rank", "3"))
            .rounds(2)
            .listener(event -> refitting[0] |= event instanceof RefitStarted)
            .cancellation(() -> refitting[0])
            .refit(true)
            .run()) {
      assertTrue(refitting[0]);
      assertTrue(result.complete());
      assertTrue(result.refitted().isEmpty());
      // Closing the result fails if memory of the refit is left.
    }
  }
}
