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
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.distribution.Distribution.Outcome;

/** Settings that are chosen for the data, and the comparison that a newcomer reads. */
class EffortIT {
  private static final String REPEAT = "the same model without the search: pecf-run ";

  @TempDir private Path folder;

  private Outcome run(String... arguments) throws Exception {
    return Distribution.in(folder).run(arguments);
  }

  private static String line(String text, String start) {
    return text.lines().filter(line -> line.startsWith(start)).findFirst().orElseThrow();
  }

  @Test
  void thePrintedCommandRepeatsTheModelThatWasChosen() throws Exception {
    Outcome chosen = run("--effort", "normal", "--out", "chosen").expectExit(0);
    List<String> words =
        new ArrayList<>(List.of(line(chosen.out(), REPEAT).substring(REPEAT.length()).split(" ")));
    words.addAll(List.of("--out", "repeated"));

    Outcome repeated = run(words.toArray(String[]::new)).expectExit(0);

    assertFalse(repeated.err().contains("choosing settings"), repeated.err());
    try (Stream<Path> files = Files.list(folder.resolve("chosen"))) {
      List<Path> members =
          files.filter(file -> file.getFileName().toString().startsWith("member-")).toList();
      assertFalse(members.isEmpty());
      for (Path member : members) {
        assertEquals(
            -1, Files.mismatch(member, folder.resolve("repeated").resolve(member.getFileName())));
      }
    }
    assertEquals(
        line(chosen.out(), "recall "), line(repeated.out(), "recall "), "the same metrics");
  }

  /** What is best stands between others that were tried, or the report says that it may not. */
  @Test
  void theBestIsSurroundedByOthersOrTheReportSaysThatTheWorkWasSpent() throws Exception {
    for (String effort : List.of("quick", "normal")) {
      JsonNode settings = settings("--data", "builtin:one-group", "--effort", effort);
      JsonNode candidates = settings.get("candidates");
      JsonNode best = null;
      for (JsonNode candidate : candidates) {
        if (candidate.get("filter").asText().equals("wmf")
            && (best == null || candidate.get("score").asDouble() > best.get("score").asDouble())) {
          best = candidate;
        }
      }
      List<Double> tried = new ArrayList<>();
      for (JsonNode candidate : candidates) {
        if (candidate.at("/settings/confidence").equals(best.at("/settings/confidence"))) {
          tried.add(candidate.at("/settings/lambda").asDouble());
        }
      }
      double lambda = best.at("/settings/lambda").asDouble();
      boolean inside = Collections.min(tried) < lambda && lambda < Collections.max(tried);
      String reasons = settings.get("reasons").toString();
      assertTrue(
          inside || reasons.contains("the work was spent before it was surrounded"),
          effort + ": " + lambda + " of " + tried + "; " + reasons);
    }
  }

  private JsonNode settings(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--metrics-json", "metrics.json"));
    run(all.toArray(String[]::new)).expectExit(0);
    return new ObjectMapper().readTree(folder.resolve("metrics.json").toFile()).get("settings");
  }

  @Test
  void aTrainingWithoutSettingsChoosesThemAndOneWithSettingsDoesNot() throws Exception {
    Outcome open = run("--metrics-json", "metrics.json").expectExit(0);
    JsonNode metrics = new ObjectMapper().readTree(folder.resolve("metrics.json").toFile());
    assertEquals("quick", metrics.at("/settings/effort").asText());
    Set<String> kinds = new TreeSet<>();
    metrics.at("/settings/candidates").forEach(of -> kinds.add(of.get("filter").asText()));
    assertTrue(kinds.containsAll(Set.of("wmf", "ease", "rp3beta", "user-knn")), kinds.toString());
    assertTrue(open.err().contains("choosing settings with quick effort among "), open.err());
    double popularity = recall(open.out(), "popularity ");
    double ensemble = recall(open.out(), "ensemble of ");
    assertTrue(ensemble > 2 * popularity, open.out());

    Outcome settled = run("--rank", "4", "--rounds", "1").expectExit(0);
    assertFalse(settled.err().contains("choosing settings"), settled.err());
    Outcome none = run("--effort", "none", "--rounds", "1").expectExit(0);
    assertFalse(none.err().contains("choosing settings"), none.err());
  }

  /** On planted groups every kind of filter sees something of its own. */
  @Test
  void anEnsembleGrowsOnlyByMembersThatHelp() throws Exception {
    JsonNode settings = settings("--data", "builtin:groups", "--effort", "quick");
    int members = settings.at("/options/filter").asText().split(",").length;
    long joined = 0;
    for (JsonNode reason : settings.get("reasons")) {
      joined += reason.asText().matches("member [0-9]+, .*") ? 1 : 0;
    }
    assertEquals(members - 1, joined, settings.toString());
    assertTrue(
        settings.at("/options/weights").asText().split(",").length == members || joined == 0);
  }

  @Test
  void aGivenConstructionHasTheSettingsOfItsFilterChosen() throws Exception {
    JsonNode settings =
        settings("--construction", "bagging", "--rounds", "1", "--rank", "8", "--effort", "quick");
    assertFalse(settings.get("options").has("rank"), settings.toString());
    assertTrue(settings.get("options").has("lambda"), settings.toString());
    settings
        .get("candidates")
        .forEach(candidate -> assertEquals("wmf", candidate.get("filter").asText()));
  }

  /** The shrinkage of a neighbourhood is another thing than that of additive members. */
  @Test
  void optionsOfAFilterAreNotTakenForThoseOfOtherPlugins() throws Exception {
    JsonNode settings =
        settings("--construction", "single", "--filter", "item-knn", "--effort", "quick");
    assertTrue(settings.get("options").has("item-knn.shrinkage"), settings.toString());
  }

  /** Validation decides how cells are re-weighted; plain weights are among what it decides on. */
  @Test
  void waysToWeighCellsAreComparedWithPlainWeights() throws Exception {
    JsonNode settings =
        settings(
            "--construction",
            "progressive",
            "--rounds",
            "1",
            "--rank",
            "8",
            "--confidence",
            "1:0.1",
            "--effort",
            "normal");
    Map<String, Double> scores = new LinkedHashMap<>();
    for (JsonNode candidate : settings.get("candidates")) {
      JsonNode tried = candidate.get("settings");
      if (tried.has("weighting")) {
        scores.put(
            tried.get("weighting").asText()
                + tried.path("sigma").asText()
                + tried.path("positives").asText(),
            candidate.get("score").asDouble());
      }
    }
    assertTrue(scores.size() >= 2 && scores.containsKey("uniform"), scores.toString());
    JsonNode options = settings.get("options");
    String chosen =
        options.get("weighting").asText()
            + options.path("posterior.sigma").asText()
            + options.path("posterior.positives").asText();
    assertEquals(Collections.max(scores.values()), scores.get(chosen), chosen + " of " + scores);
  }

  @Test
  void noiseTeachesARaceNothing() throws Exception {
    run("--data", "builtin:noise", "--effort", "quick", "--metrics-json", "metrics.json")
        .expectExit(0);
    JsonNode metrics = new ObjectMapper().readTree(folder.resolve("metrics.json").toFile());
    double chance = 50.0 / metrics.at("/data/items").asInt();
    assertEquals(chance, metrics.at("/metrics/test/recall@50").asDouble(), 0.15 * chance);
  }

  /** Return the first number in the row of a prediction; a star marks the best of a column. */
  private static double recall(String out, String name) {
    String[] words = line(out, name).substring(name.length()).strip().split("[ *]+");
    return Double.parseDouble(words[words[0].contains(".") ? 0 : 1]);
  }

  @Test
  void theChoiceDoesNotDependOnTheTestPart() throws Exception {
    ratings("train.csv", 0, 30);
    ratings("validation.csv", 30, 36);
    ratings("one.csv", 36, 42);
    ratings("other.csv", 42, 48);
    List<String> chosen = new ArrayList<>();
    for (String test : List.of("one.csv", "other.csv")) {
      Outcome outcome =
          run(
                  "--data",
                  "train.csv",
                  "--validation-data",
                  "validation.csv",
                  "--test-data",
                  test,
                  "--effort",
                  "normal")
              .expectExit(0);
      chosen.add(line(outcome.err(), "chosen of "));
    }
    assertEquals(chosen.get(0), chosen.get(1));
  }

  /** Write some of each user's positives, most of them items of the user's own group. */
  private void ratings(String name, int from, int to) throws IOException {
    StringBuilder text = new StringBuilder("user,item,rating\n");
    for (int user = 0; user < 150; user++) {
      int group = user % 3;
      List<Integer> items = new ArrayList<>();
      for (int item = 0; item < 120; item++) {
        items.add(item);
      }
      Collections.shuffle(items, new Random(user));
      items.sort(Comparator.comparing(item -> item % 3 == group || item < 30 ? 0 : 1));
      Collections.shuffle(items.subList(0, 55), new Random(user));
      for (int item : items.subList(from, to)) {
        text.append(user).append(',').append(item).append(",1\n");
      }
    }
    Files.writeString(folder.resolve(name), text);
  }

  @Test
  void anEffortWithoutEffectIsRefused() throws Exception {
    Outcome none = run("--effort", "quick", "--split", "none").expectExit(2);
    assertTrue(none.err().contains("Option 'effort' has no effect here"), none.err());
    Outcome bpr = run("--effort", "normal", "--filter", "bpr").expectExit(2);
    assertTrue(bpr.err().contains("has no effect here"), bpr.err());
    Outcome unknown = run("--effort", "norml").expectExit(2);
    assertTrue(unknown.err().contains("Did you mean 'normal'?"), unknown.err());
  }
}
