package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.distribution.Distribution.Outcome;

/** The scripts that made the tables of docs/results, on the embedded data. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "they are scripts of the Unix shell")
class StudyScriptIT {
  private static final Path FOLDER = Path.of("../docs/results").toAbsolutePath();

  @TempDir private Path folder;

  private Outcome run(String... arguments) throws Exception {
    return run(2, arguments);
  }

  private Outcome run(int draws, String... arguments) throws Exception {
    return launch("study.sh", draws, arguments);
  }

  private Outcome launch(String script, int draws, String... arguments) throws Exception {
    return Distribution.in(folder)
        .with("PECF", Distribution.built().resolve("bin/pecf-run").toString())
        .with("DRAWS", Integer.toString(draws))
        .launchedBy(FOLDER.resolve(script))
        .run(arguments);
  }

  private static JsonNode json(Path file) throws Exception {
    return new ObjectMapper().readTree(file.toFile());
  }

  @Test
  void searchesEveryMethodAlikeAndComparesTheWinners() throws Exception {
    run("search", "demo", "out", "wmf", "rand-em", "pecf", "rp3beta", "greedy", "stacked")
        .expectExit(0);
    for (String method : new String[] {"wmf", "rand-em", "pecf", "rp3beta"}) {
      Path trials = folder.resolve("out/search").resolve(method).resolve("trials.jsonl");
      assertEquals(2, Files.readAllLines(trials).size(), method);
    }
    String plan = Files.readString(folder.resolve("out/settings/greedy.yaml"));
    assertTrue(plan.matches("(?s).*\"wmf:confidence=1:.*:rank=.*,rp3beta:alpha=.*\"\n"), plan);
    run("compare", "demo", "out", "wmf", "rand-em", "pecf", "greedy", "stacked").expectExit(0);
    JsonNode results = json(folder.resolve("out/study/results.json"));
    assertEquals(6, results.at("/tables/recall").size(), "these and popularity");
    assertEquals(5, results.get("tuned").size());
    assertEquals(
        5 * 3 * 2,
        results.get("significance").size(),
        "five methods beside PECF and beside WMF, three seeds");
    Path page = folder.resolve("pages/page.md");
    Files.createDirectories(page.getParent());
    Files.writeString(page, "before\n<!-- overview of demo -->\nold\n<!-- end -->\nafter\n");
    Distribution.in(folder)
        .with("PAGES", "pages")
        .launchedBy(FOLDER.resolve("study.sh"))
        .run("publish", "demo", "out")
        .expectExit(0);
    String table = String.join("\n", table(folder.resolve("pages/demo/results.md")));
    assertTrue(table.contains("| CPU s | from PECF, seeds 1 / 2 / 3 | p, corrected |"), table);
    assertEquals(
        "before\n<!-- overview of demo -->\n\n" + table + "\n\n<!-- end -->\nafter\n",
        Files.readString(page));
  }

  /** Return the lines of the table of all methods; none if a study compares no methods. */
  private static List<String> table(Path results) throws Exception {
    List<String> after =
        Files.readAllLines(results).stream()
            .dropWhile(line -> !line.equals("## All methods"))
            .skip(1)
            .toList();
    return after.stream()
        .takeWhile(line -> !line.startsWith("## "))
        .filter(line -> line.startsWith("|"))
        .toList();
  }

  @Test
  void pagesHoldTheOverviewsOfTheirStudies() throws Exception {
    String pages =
        Files.readString(FOLDER.resolve("README.md"))
            + Files.readString(FOLDER.resolve("reweighting.md"));
    List<Path> studies;
    try (Stream<Path> sets = Files.list(FOLDER)) {
      studies = sets.map(set -> set.resolve("results.md")).filter(Files::isRegularFile).toList();
    }
    assertFalse(studies.isEmpty());
    for (Path study : studies) {
      String table = String.join("\n", table(study));
      assertFalse(table.isEmpty(), study.toString());
      assertTrue(pages.contains(table), () -> study + " is not in the pages. Publish it.");
    }
  }

  @Test
  void findsMembersAmongAllDraws() throws Exception {
    run("search", "demo", "out", "wmf", "pecf", "user-knn").expectExit(0);
    Distribution.in(folder)
        .with("BEST", "2")
        .launchedBy(FOLDER.resolve("study.sh"))
        .run("search", "demo", "out", "greedy")
        .expectExit(0);
    String plan = Files.readString(folder.resolve("out/settings/greedy.yaml"));
    // PECF shares the draws of WMF, so that its settings of the filter are the same two.
    assertEquals(2, plan.split("wmf:confidence=1:", -1).length - 1, plan);
    assertEquals(2, plan.split("user-knn:beta=0", -1).length - 1, plan);
    assertFalse(plan.contains("sigma"), plan);
    run("compare", "demo", "out", "greedy").expectExit(0);
    JsonNode results = json(folder.resolve("out/study/results.json"));
    String winner = Files.readString(folder.resolve("out/settings/user-knn.yaml"));
    String locality = winner.replaceAll("(?s).*user-knn.locality: \"([0-9.]*)\".*", "$1");
    assertTrue(
        results.at("/tuned/greedy").asText().contains("locality=" + locality),
        () -> locality + " in " + results.get("tuned"));
  }

  @Test
  void searchesTheRelatedWorkOfThePaperLikewise() throws Exception {
    run(1, "search", "demo", "out", "llorma", "cccf", "ens-nmf", "rankboost").expectExit(0);
    run(1, "compare", "demo", "out", "llorma", "rankboost").expectExit(0);
    JsonNode rows = json(folder.resolve("out/study/results.json")).at("/tables/recall");
    assertEquals(
        List.of("rankboost", "llorma", "popularity"),
        StreamSupport.stream(rows.spliterator(), false)
            .map(row -> row.get("name").asText())
            .toList());
  }

  @Test
  void moreDrawsExtendTheSearchEvenIfWmfHasAnotherWinner() throws Exception {
    run(1, "search", "demo", "out", "wmf", "l2boost").expectExit(0);
    Path winner = folder.resolve("out/settings/wmf.yaml");
    String first = Files.readString(winner);
    run(4, "search", "demo", "out", "wmf", "l2boost").expectExit(0);
    assertNotEquals(first, Files.readString(winner));
    Path trials = folder.resolve("out/search/l2boost/trials.jsonl");
    assertEquals(4, Files.readAllLines(trials).size());
  }

  @Test
  void saysWhatItDoesNotKnow() throws Exception {
    Outcome set = run("search", "netflix", "out").expectExit(2);
    assertTrue(set.err().contains("there is no set netflix"), set.err());
    Outcome method = run("search", "demo", "out", "wnf").expectExit(2);
    assertTrue(method.err().contains("there is no search for wnf"), method.err());
    Outcome step = run("find", "demo", "out").expectExit(2);
    assertTrue(step.err().contains("find is no step"), step.err());
  }

  @Test
  void looksAtReweighting() throws Exception {
    launch("reweighting.sh", 1, "out", "demo").expectExit(0);
    assertTrue(Files.exists(folder.resolve("out/demo/zeros-by-doubt/metrics.json")));
    assertTrue(Files.exists(folder.resolve("out/demo/comparison.html")));
    Outcome set = launch("reweighting.sh", 1, "out", "netflix").expectExit(2);
    assertTrue(set.err().contains("there is no set netflix"), set.err());
  }

  @Test
  void comparesProtocolsOnNoise() throws Exception {
    String table =
        Distribution.in(folder)
            .with("PECF", Distribution.built().resolve("bin/pecf-run").toString())
            .with("SEEDS", "1")
            .with("ROUNDS", "2")
            .launchedBy(FOLDER.resolve("protocols.sh"))
            .run()
            .expectExit(0)
            .out();
    assertEquals(6, table.lines().count(), table);
    assertTrue(table.contains("all-but-training"), table);
  }
}
