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
import java.util.List;
import java.util.Random;
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

  /** What is best stands between others that were tried, or the report says that it does not. */
  @Test
  void theBestIsInsideWhatWasTriedOrItsEdgeIsNamed() throws Exception {
    int further = 0;
    for (String data : List.of("builtin:demo", "builtin:one-group")) {
      for (String effort : List.of("quick", "normal")) {
        run("--data", data, "--effort", effort, "--rounds", "0", "--metrics-json", "metrics.json")
            .expectExit(0);
        JsonNode settings =
            new ObjectMapper().readTree(folder.resolve("metrics.json").toFile()).get("settings");
        JsonNode chosen = settings.get("options");
        String reasons = settings.get("reasons").toString();
        double lambda = chosen.get("lambda").asDouble();
        List<Double> tried = new ArrayList<>();
        for (JsonNode candidate : settings.get("candidates")) {
          if (candidate.at("/settings/confidence").equals(chosen.get("confidence"))) {
            tried.add(candidate.at("/settings/lambda").asDouble());
          }
        }
        boolean inside = Collections.min(tried) < lambda && lambda < Collections.max(tried);
        assertTrue(
            inside
                || reasons.contains("lambda " + chosen.get("lambda").asText())
                    && reasons.contains("That is the edge of what was tried"),
            data + " " + effort + ": " + lambda + " of " + tried + "; " + reasons);
        further += new TreeSet<>(tried).size() > (effort.equals("quick") ? 3 : 4) ? 1 : 0;
      }
    }
    assertTrue(further > 0, "no search went beyond an edge");
  }

  @Test
  void aTrainingWithoutSettingsChoosesThemAndOneWithSettingsDoesNot() throws Exception {
    Outcome open = run("--rounds", "1", "--metrics-json", "metrics.json").expectExit(0);
    JsonNode metrics = new ObjectMapper().readTree(folder.resolve("metrics.json").toFile());
    assertEquals("quick", metrics.at("/settings/effort").asText());
    assertEquals("16", metrics.at("/settings/options/rank").asText());
    JsonNode tried = metrics.at("/settings/candidates");
    assertEquals(4, tried.size(), "the best of three penalties is the largest, so a step follows");
    double beyond = tried.get(3).at("/settings/lambda").asDouble();
    for (int k = 0; k < 3; k++) {
      assertTrue(beyond > tried.get(k).at("/settings/lambda").asDouble(), tried.toString());
    }
    assertEquals(
        metrics.at("/metrics/test/recall@50").asDouble(),
        metrics.at("/comparison/predictions/ensemble of 2/recall@50").asDouble());
    assertTrue(open.err().contains("choosing settings with quick effort"), open.err());
    assertTrue(open.out().contains("rank 16 by rule"), open.out());
    double popularity = recall(open.out(), "popularity ");
    double ensemble = recall(open.out(), "ensemble of 2 ");
    assertTrue(ensemble > 2 * popularity, open.out());

    Outcome settled = run("--rank", "4", "--rounds", "1").expectExit(0);
    assertFalse(settled.err().contains("choosing settings"), settled.err());
    Outcome none = run("--effort", "none", "--rounds", "1").expectExit(0);
    assertFalse(none.err().contains("choosing settings"), none.err());
  }

  /** Return the first number in the row of a prediction; a star marks the best of a column. */
  private static double recall(String out, String name) {
    return Double.parseDouble(line(out, name).substring(name.length()).strip().split("[ *]+")[0]);
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
                  "normal",
                  "--rounds",
                  "0",
                  "--patience",
                  "0")
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
