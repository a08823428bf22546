package org.pecf.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.cli.RecordedApplication;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.request.RequestOptions;
import org.pecf.engine.resource.Workspace;
import org.pecf.engine.run.PreparedData;
import org.pecf.study.Reproduction;
import org.pecf.study.StudyBase;
import org.pecf.study.StudyEvent.JobFinished;
import org.pecf.study.StudySettings;

class ReproduceCommandTest extends RecordedApplication {
  private static final String TINY =
      "--rank 4 --iterations 1 --rounds 1 --em-iterations 1 --cutoffs 20 --threads 1";

  @TempDir private Path folder;

  private static JsonNode json(Path file) throws IOException {
    return new ObjectMapper().readTree(file.toFile());
  }

  private static JsonNode row(JsonNode results, String table, String name) {
    for (JsonNode row : results.at("/tables/" + table)) {
      if (row.get("name").asText().equals(name)) {
        return row;
      }
    }
    throw new AssertionError(name + " is not in " + results.at("/tables/" + table));
  }

  @Test
  void methodTakesItsOwnSettingFromFile() throws IOException {
    Path setting = folder.resolve("wmf.yaml");
    Files.writeString(
        setting,
        """
        construction: single
        rank: 3
        lambda: 2
        iterations: 2
        confidence: 1:0.1
        seed: 77
        set:
          wmf.deviation: 0.3
        """);
    Path study = folder.resolve("study");
    String only = "--only recall,pecf,wmf,bagging --seeds 1 --tuned wmf=" + setting + " ";
    assertEquals(0, execute("reproduce", only + TINY, study), this::err);
    JsonNode results = json(study.resolve("results.json"));
    Path model = folder.resolve("model");
    String single =
        "--construction single --rank 3 --lambda 2 --iterations 2 --confidence 1:0.1 --cutoffs 20"
            + " --set wmf.deviation=0.3";
    assertEquals(0, execute("train", single, model), this::err);
    assertEquals(
        json(model.resolve("metrics.json")).at("/metrics/test/recall@20").asDouble(),
        row(results, "recall", "wmf").at("/test/recall@20/mean").asDouble());
    // The others keep the common setting.
    String bagging =
        "--overwrite --construction bagging --rank 4 --iterations 1 --rounds 1 --cutoffs 20";
    assertEquals(0, execute("train", bagging, model), this::err);
    assertEquals(
        json(model.resolve("metrics.json")).at("/metrics/test/recall@20").asDouble(),
        row(results, "recall", "bagging").at("/test/recall@20/mean").asDouble());
    assertTrue(results.at("/tuned/wmf").asText().contains("confidence=1.0:0.1"));
    assertEquals(2, results.get("significance").size(), "WMF and bagging beside PECF");
    // Other references need no training.
    String against = "--against bagging,wmf ";
    assertEquals(0, execute("reproduce", against + only + TINY, study), this::err);
    JsonNode tested = json(study.resolve("results.json"));
    assertEquals(4, tested.get("significance").size());
    JsonNode last = tested.at("/significance/3");
    assertEquals("wmf", last.get("against").asText());
    assertEquals(
        row(results, "recall", last.get("name").asText()).at("/test/recall@20/mean").asDouble()
            - row(results, "recall", "wmf").at("/test/recall@20/mean").asDouble(),
        last.get("difference").asDouble(),
        1e-12);
    String text = Files.readString(study.resolve("results.md"));
    assertTrue(text.contains("## Differences from bagging"), text);
    assertTrue(text.contains("## Differences from WMF"), text);
    assertFalse(text.contains("## Differences from PECF"), text);
    assertTrue(
        Files.readString(study.resolve("results.md"))
            .contains("- WMF: construction=single filter=wmf:deviation=0.3"),
        "the page tells the setting");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "wmf                 | does not name a method and a file.",
        "wmff=setting.yaml   | There is no method 'wmff'. Did you mean 'wmf'?",
        "wmf=absent.yaml     | There is no configuration file",
        "wmf=bagging.yaml    | is not a setting of wmf, which is construction single of filter wmf",
        "rankboost=pecf.yaml | is not a setting of rankboost, which is construction progressive of"
            + " filter wmf with weighting rankboost. Search",
        "greedy=bagging.yaml | is not a setting of greedy, which is construction greedy. Search",
        "bagging=typo.yaml   | typo.yaml:2: There is no option 'rnak'. Did you mean 'rank'?",
      })
  void refusesSettingsThatAreNotTheMethods(String tuned, String message) throws IOException {
    Files.writeString(folder.resolve("bagging.yaml"), "construction: bagging\n");
    Files.writeString(folder.resolve("pecf.yaml"), "construction: progressive\n");
    Files.writeString(folder.resolve("typo.yaml"), "construction: bagging\nrnak: 3\n");
    int equals = tuned.indexOf('=');
    String option =
        equals < 0
            ? tuned
            : tuned.substring(0, equals + 1) + folder.resolve(tuned.substring(equals + 1));
    assertEquals(2, execute("reproduce", "--tuned " + option, folder.resolve("study")));
    assertTrue(err().contains(message), this::err);
    assertFalse(Files.exists(folder.resolve("study")));
  }

  @Test
  void quickStudyYieldsTablesFiguresAndTests() throws IOException {
    Path study = folder.resolve("study");
    assertEquals(0, execute("reproduce", "--quick --seeds 2 " + TINY, study), this::err);
    JsonNode results = json(study.resolve("results.json"));
    for (String method :
        List.of(
            "wmf",
            "l2boost",
            "pecf",
            "rand-em",
            "l2-em",
            "bagging",
            "boosted",
            "capacity",
            "rankboost",
            "llorma",
            "cccf",
            "ens-nmf")) {
      JsonNode recall = row(results, "recall", method).at("/test/recall@20");
      assertEquals(2, recall.get("values").size(), method);
      double mean = (recall.at("/values/0").asDouble() + recall.at("/values/1").asDouble()) / 2;
      assertEquals(mean, recall.get("mean").asDouble(), 1e-12, method);
      assertTrue(mean > 0 && mean < 1, method + " " + mean);
    }
    // Round 0 is the single filter, the last round the whole ensemble.
    JsonNode rounds = results.at("/figures/rounds-recall/PECF");
    assertEquals(2, rounds.size());
    assertEquals(
        row(results, "recall", "wmf").at("/test/recall@20/mean").asDouble(),
        rounds.at("/0/1").asDouble());
    assertEquals(
        row(results, "recall", "pecf").at("/test/recall@20/mean").asDouble(),
        rounds.at("/1/1").asDouble());
    // rho(0) = 1 / (1 + nu).
    assertEquals(1 / 11.0, results.at("/figures/rho/nu=10, sigma=1/0/1").asDouble(), 1e-12);
    // Eleven methods beside PECF, tested with each of the two seeds.
    assertEquals(22, results.get("significance").size());
    assertEquals(
        row(results, "recall", "wmf").at("/test/recall@20/values/1").asDouble()
            - row(results, "recall", "pecf").at("/test/recall@20/values/1").asDouble(),
        results.at("/significance/11/difference").asDouble(),
        1e-12);
    assertEquals(2, results.at("/significance/11/seed").asInt());
    String text = Files.readString(study.resolve("results.md"));
    assertTrue(out().startsWith(text));
    assertFalse(text.contains("paper @"), "the demo is not the paper's");
    assertFalse(text.contains("Optional"), "options that are unset are not shown");
    assertTrue(
        text.lines().anyMatch(line -> line.matches("\\|.*\\*\\*0\\.\\d{4}.*")), "the best is bold");
    for (String title : List.of("Recall@20 round by round", "WMSE round by round")) {
      assertTrue(text.contains("## builtin:demo, test part: " + title), title);
    }
    // The same training on its own gives the same metric.
    Path model = folder.resolve("model");
    String single = "--construction single --rank 4 --iterations 1 --cutoffs 20 --seed 2";
    assertEquals(0, execute("train", single, model), this::err);
    assertEquals(
        json(model.resolve("metrics.json")).at("/metrics/test/recall@20").asDouble(),
        row(results, "recall", "wmf").at("/test/recall@20/values/1").asDouble());
  }

  @Test
  void numbersOfThePaperStandBesideOursOnItsData() throws IOException {
    // As many users and items as CiteULike; a few positives are enough to be recognised.
    StringBuilder ratings = new StringBuilder("user,item\n");
    for (int item = 0; item < 16980; item++) {
      ratings.append(item % 5551 + "," + item + "\n");
    }
    Path data = Files.writeString(folder.resolve("ratings.csv"), ratings);
    Path study = folder.resolve("study");
    String options = " --quick --rank 2 --iterations 1 --only recall,wmf,rho";
    assertEquals(0, execute("reproduce", "--data " + data + options, study), this::err);
    String text = Files.readString(study.resolve("results.md"));
    assertTrue(text.contains("(CiteULike of the paper)"), text);
    assertTrue(
        text.lines()
            .anyMatch(line -> line.matches("\\| WMF \\|.*\\| 0.388 \\| 0.494 \\| 0.594 \\|")),
        text);
    JsonNode results = json(study.resolve("results.json"));
    assertEquals(0.494, row(results, "recall", "wmf").at("/paper/recall@100").asDouble());
    assertFalse(text.contains("| PECF |"), "only wmf was asked for");
  }

  @Test
  void finishedJobsAreFoundAndThoseOfAnotherStudyRefused() throws IOException {
    Path study = folder.resolve("study");
    String some = "--quick --only recall,wmf,bagging " + TINY;
    assertEquals(0, execute("reproduce", some, study), this::err);
    assertEquals(0, execute("reproduce", some + " --seeds 2", study), this::err);
    assertEquals(2, err().lines().filter(line -> line.endsWith("(done before)")).count(), err());
    assertTrue(err().contains("job 4/4: bagging-seed-2: test recall@20 0."), err());
    String page = Files.readString(study.resolve("report.html"));
    assertEquals(2, execute("reproduce", some + " --lambda 3", study));
    assertTrue(err().contains("wmf-seed-1.json is of another study: its request is"), err());
    assertEquals(page, Files.readString(study.resolve("report.html")), "it is left alone");
    assertEquals(0, execute("reproduce", some + " --lambda 3 --overwrite", study), this::err);
  }

  @Test
  void methodsAreComparedByTheSelectedMetricAndTheOverviewHasAllOfThem() throws IOException {
    Path study = folder.resolve("study");
    String some = "--quick --seeds 2 --only recall,wmf,pecf " + TINY.replace("20", "10,20,50");
    assertEquals(0, execute("reproduce", some + " --select ndcg@20", study), this::err);
    JsonNode results = json(study.resolve("results.json"));
    for (int seed : new int[] {0, 1}) {
      String values = "/test/ndcg@20/values/" + seed;
      assertEquals(
          row(results, "recall", "wmf").at(values).asDouble()
              - row(results, "recall", "pecf").at(values).asDouble(),
          results.at("/significance/" + seed + "/difference").asDouble(),
          1e-12);
    }
    List<String> lines =
        Files.readString(study.resolve("results.md"))
            .lines()
            .dropWhile(line -> !line.equals("## All methods"))
            .filter(line -> line.startsWith("|"))
            .limit(4)
            .toList();
    assertEquals(
        "| method | Recall@10 | Recall@20 | Recall@50 | NDCG@20 | coverage@20 | CPU s | from PECF,"
            + " seeds 1 / 2 | p, corrected |",
        lines.get(0));
    double recall = row(results, "recall", "wmf").at("/test/recall@10/mean").asDouble();
    String[] wmf = lines.get(2).split(" \\| ");
    assertEquals("| WMF", wmf[0]);
    assertTrue(
        wmf[1].startsWith(String.format(Locale.ROOT, "%.3f ± ", recall).substring(1)), wmf[1]);
    double seconds = results.at("/times/wmf-seed-1/processorSeconds").asDouble();
    assertTrue(seconds > 0, "training takes processors: " + seconds);
    assertTrue(lines.get(3).startsWith("| PECF |"), "two methods below the heads");
    // The metric of users is kept with the trainings, so another one is another study.
    assertEquals(2, execute("reproduce", some + " --select recall@50", study));
    assertTrue(err().contains("of another study: its measure is ndcg@20, not recall@50"), err());
  }

  @Test
  void aFolderOfAVersionWithFewerOptionsGoesOn() throws IOException {
    Path study = folder.resolve("study");
    String some = "--quick --only recall,wmf,bagging " + TINY;
    assertEquals(0, execute("reproduce", some, study), this::err);
    Path job = study.resolve("jobs/bagging-seed-1.json");
    String kept = Files.readString(job);
    String older = kept.replace(":tolerance=0.0", "").replace(" chains=1", "");
    assertEquals(kept.length() - ":tolerance=0.0 chains=1".length(), older.length(), kept);
    Files.writeString(job, older);
    assertEquals(0, execute("reproduce", some, study), this::err);
    assertEquals(2, err().lines().filter(line -> line.endsWith("(done before)")).count(), err());
    Files.writeString(job, older.replace("rounds=", "gone=3 rounds="));
    assertEquals(2, execute("reproduce", some, study));
    assertTrue(err().contains("bagging-seed-1.json is of another study"), err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --select wmse | Methods cannot be compared by wmse, which is not measured user by user: cutoffs are [50, 100, 200]. Select a metric such as recall@50.
          --select recall@20 | Methods cannot be compared by recall@20, which is not measured user by user
          --only recal | There is no table, figure or method 'recal'. Did you mean 'recall'?
          --construction em | Option 'construction' has no effect in a study, which compares methods of its own. Leave it out.
          --seeds 0 | --seeds must be at least 1, not 0
          --set bpr.rank=3 | 'bpr' is not used in this run, so bpr.rank cannot be set.
          """)
  void mistakesAreExplained(String arguments, String message) {
    assertEquals(2, execute("reproduce", arguments, folder.resolve("study")));
    assertTrue(err().contains(message), err());
    assertFalse(Files.exists(folder.resolve("study")));
  }

  /** Do a study, and pretend Ctrl-C after a number of jobs. */
  private static void study(Path place, int interruptAfter) {
    PluginCatalog catalog = PluginCatalog.builtIn();
    RequestOptions given = given(TINY.split(" "));
    StudyBase base = StudyBase.of(given.withDefaults(Map.of("components", "2")), catalog, Map.of());
    StudySettings settings =
        StudySettings.SCHEMA.bind(
            "", Map.of("quick", "true", "seeds", "2", "only", "recall,rounds,pecf,wmf,l2boost"));
    int[] finished = new int[1];
    Workspace workspace =
        new Workspace(
            catalog,
            base.pecf().compute(),
            event -> finished[0] += event instanceof JobFinished ? 1 : 0,
            () -> finished[0] >= interruptAfter);
    try (PreparedData data = PreparedData.load(base.pecf().data(), workspace)) {
      new Reproduction(base, settings, data, place).run();
    }
  }

  /** Read all files, without the times in them. */
  private static Map<String, String> outcome(Path place) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(place)) {
      for (Path path : paths.filter(Files::isRegularFile).toList()) {
        String text = Files.readString(path);
        files.put(place.relativize(path).toString(), withoutTimes(text));
      }
    }
    return files;
  }

  /** Leave out times: fields of JSON, and the cells after the coverage in Markdown and HTML. */
  private static String withoutTimes(String text) {
    return text.replaceAll("\"(seconds|processorSeconds)\" : .*", "")
        .replaceAll("(\\| [.]\\d{3}[^|]*){3}\\| [\\d.]+ \\|", "")
        .replaceAll("(<td[^>]*>[.]\\d{3}[^<]*</td>){3}<td[^>]*>[\\d.]+</td>", "");
  }

  @Test
  void interruptedStudyGoesOnToTheSameOutcome() throws IOException {
    study(folder.resolve("whole"), 99);
    Map<String, String> whole = outcome(folder.resolve("whole"));
    assertEquals(6 + 3, whole.size(), () -> "6 jobs, 3 reports: " + whole.keySet());
    for (int after : new int[] {1, 4}) {
      Path place = folder.resolve("stopped" + after);
      PecfException stop = assertThrows(PecfException.class, () -> study(place, after));
      assertEquals(ErrorCode.CANCELLED, stop.code());
      assertEquals(after + 1, outcome(place).size(), "jobs and the page");
      String page = Files.readString(place.resolve("report.html"));
      assertTrue(page.contains(after + " of 6 trainings are done. It was stopped"), page);
      study(place, 99);
      assertEquals(whole, outcome(place));
    }
  }
}
