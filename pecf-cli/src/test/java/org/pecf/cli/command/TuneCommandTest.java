package org.pecf.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.data.Part;
import org.pecf.api.run.RunEvent;
import org.pecf.cli.RecordedApplication;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.request.RequestOptions;
import org.pecf.engine.request.TrainingRequest;
import org.pecf.engine.resource.Workspace;
import org.pecf.engine.run.PreparedData;
import org.pecf.engine.run.TrainingRunEvent.Evaluated;
import org.pecf.study.Budget;
import org.pecf.study.SearchSpace;
import org.pecf.study.StudyEvent.TrialFinished;
import org.pecf.study.TuneSettings;
import org.pecf.study.Tuner;
import org.pecf.study.Tuner.TuneResult;

class TuneCommandTest extends RecordedApplication {
  private static final String TINY =
      "--data builtin:demo --rank 4 --rounds 1 --threads 1 --cutoffs 20";
  private static final String HALVING =
      TINY
          + " --iterations 3 --strategy halving --budget iterations --trials 4"
          + " --search lambda=log:0.01..10 --search wmf.deviation=0.05..0.2";

  @TempDir private Path folder;

  private static List<String> trials(Path place) throws IOException {
    return Files.readAllLines(place.resolve("trials.jsonl")).stream()
        .map(line -> line.replaceFirst("\"seconds\":.*", ""))
        .toList();
  }

  @Test
  void twoSearchesDoNotWriteToTheSameFolder() throws IOException {
    Path search = Files.createDirectories(folder.resolve("search"));
    Files.writeString(search.resolve("trials.jsonl"), "precious\n");
    try (FileChannel channel =
        FileChannel.open(
            search.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      assertTrue(channel.lock().isValid());
      for (String more : List.of("", " --overwrite")) {
        assertEquals(2, execute("tune", HALVING + more, search));
        assertTrue(err().contains("Another study is at work on " + search), this::err);
      }
    }
    assertEquals("precious\n", Files.readString(search.resolve("trials.jsonl")));
    assertEquals(0, execute("tune", HALVING + " --overwrite", search), this::err);
    assertFalse(Files.exists(search.resolve(".lock")));
  }

  @Test
  void bestOptionsTrainToTheSameValidationMetric() throws IOException {
    Path search = folder.resolve("search");
    assertEquals(0, execute("tune", HALVING, search), this::err);
    List<String> lines = trials(search);
    assertEquals(5, lines.size(), "4 settings with 1 sweep, the best with 3");
    JsonNode best = new ObjectMapper().readTree(lines.get(4) + "\"end\":0}");
    assertEquals(3, best.get("budget").asInt());
    for (String line : lines.subList(0, 4)) {
      JsonNode trial = new ObjectMapper().readTree(line + "\"end\":0}");
      assertEquals(1, trial.get("budget").asInt());
      assertFalse(line.contains("test"), line);
    }
    Path model = folder.resolve("model");
    String config = "--config " + search.resolve("best.yaml");
    assertEquals(0, execute("train", config, model), this::err);
    JsonNode metrics = new ObjectMapper().readTree(model.resolve("metrics.json").toFile());
    assertEquals(
        best.get("score").asDouble(), metrics.at("/metrics/validation/recall@20").asDouble());
    assertEquals(
        best.at("/validation/wmse").asDouble(), metrics.at("/metrics/validation/wmse").asDouble());
  }

  @Test
  void sameSearchIsFoundDoneAndAnotherRefused() throws IOException {
    Path search = folder.resolve("search");
    String random = TINY + " --trials 2 --search nu=1..20";
    assertEquals(0, execute("tune", random, search), this::err);
    byte[] log = Files.readAllBytes(search.resolve("trials.jsonl"));
    assertEquals(0, execute("tune", random, search), this::err);
    assertTrue(err().contains("training 2/2: setting 2, recall@20 0."), err());
    assertEquals(2, err().lines().filter(line -> line.endsWith("(done before)")).count(), err());
    assertEquals(
        new String(log, StandardCharsets.UTF_8), Files.readString(search.resolve("trials.jsonl")));
    assertEquals(2, execute("tune", random + " --tune-seed 2", search));
    assertTrue(
        err().contains("holds another search: tune-seed is 1 there, 2 here. Name another folder"),
        err());
    assertEquals(0, execute("tune", random + " --tune-seed 2 --overwrite", search), this::err);
  }

  @Test
  void trainingsBeyondTheLimitAreGivenUpAndDoneWhenMoreIsAllowed() throws IOException {
    Path search = folder.resolve("search");
    String random = TINY + " --trials 2 --search nu=1..20";
    assertEquals(2, execute("tune", random + " --trial-seconds 0", search));
    assertTrue(err().contains("No setting could be trained. Setting 1: given up after"), this::err);
    List<String> lines = trials(search);
    assertEquals(2, lines.size());
    for (String line : lines) {
      assertTrue(line.contains("for no training may take more than 0.0\",\"limit\":0.0"), line);
    }
    assertEquals(2, execute("tune", random + " --trial-seconds 0", search));
    assertEquals(2, err().lines().filter(line -> line.endsWith("(done before)")).count(), err());
    assertEquals(0, execute("tune", random, search), this::err);
    assertFalse(err().contains("(done before)"), err());
    assertEquals(4, trials(search).size());
    assertEquals(0, execute("tune", random, search), this::err);
    assertEquals(2, err().lines().filter(line -> line.endsWith("(done before)")).count(), err());
  }

  @Test
  void aSearchOfAVersionWithFewerOptionsGoesOn() throws IOException {
    Path search = folder.resolve("search");
    String random = TINY + " --trials 2 --search nu=1..20";
    assertEquals(0, execute("tune", random, search), this::err);
    Path about = search.resolve("tune.json");
    String kept = Files.readString(about);
    String older = kept.replace(":tolerance=0.0", "").replace(" chains=1", "");
    assertTrue(older.length() < kept.length(), kept);
    Files.writeString(about, older);
    assertEquals(0, execute("tune", random, search), this::err);
    assertEquals(2, err().lines().filter(line -> line.endsWith("(done before)")).count(), err());
    assertEquals(2, execute("tune", random + " --lambda 3", search));
    assertTrue(err().contains("holds another search: base is"), err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --search nu=1..2 --trial-seconds -1 | --trial-seconds must be at least 0, not -1
          --search rnk=int:1..5 | 'rnk' cannot be searched. Did you mean 'rank'?
          --search seed=int:1..5 | 'seed' cannot be searched.
          --search rounds=0.5..1.5 | rounds must be a whole number, not
          --search wmf.rnk=int:1..5 | filter wmf has no option 'rnk'. Did you mean 'rank'?
          --search rank=int:0..0 | filter wmf: rank must be between 1 and 4096, not 0
          --search rank=5 | '5' is not a range.
          --trials 3 | There is nothing to search.
          --search nu=1..2 --budget rounds | Option 'budget' has no effect without the strategy halving.
          --search nu=1..2 --trials 0 | --trials must be at least 1, not 0
          --search rounds=int:1..5 --strategy halving | which cannot be searched as well.
          --search nu=1..2 --select recall@7 | The metric recall@7, by which settings are chosen, is not measured. Add its cutoff.
          --search lambda=1..2 --set wmf.lambda=3 | are the same training. Do not give options that are searched a fixed value.
          --search nu=1..2 --metrics-json x | --metrics-json has no meaning here
          """)
  void mistakesAreFoundBeforeAnyWork(String arguments, String message) {
    assertEquals(2, execute("tune", arguments, folder.resolve("search")));
    assertTrue(err().contains(message), err());
    assertFalse(Files.exists(folder.resolve("search")));
  }

  /** Search, and pretend Ctrl-C after a number of trainings. */
  private static TuneResult search(Path place, int interruptAfter, List<RunEvent> events) {
    PluginCatalog catalog = PluginCatalog.builtIn();
    RequestOptions given = given(TINY.split(" "));
    Tuner tuner =
        new Tuner(
            new TuneSettings(
                SearchSpace.parse("lambda=log:0.01..10\nnu=1..20"),
                4,
                TuneSettings.Strategy.HALVING,
                Optional.of(Budget.ITERATIONS),
                Optional.of(2),
                9,
                Optional.empty()),
            given,
            catalog);
    TrainingRequest base = tuner.base();
    Workspace workspace =
        new Workspace(
            catalog,
            base.compute(),
            events::add,
            () ->
                events.stream().filter(event -> event instanceof TrialFinished).count()
                    >= interruptAfter);
    try (PreparedData data = PreparedData.load(base.data(), workspace)) {
      return tuner.search(data, place);
    }
  }

  @Test
  void interruptedSearchGoesOnToTheSameOutcome() throws IOException {
    TuneResult whole = search(folder.resolve("whole"), 99, new ArrayList<>());
    for (int after : new int[] {1, 4}) {
      Path place = folder.resolve("stopped" + after);
      PecfException stop =
          assertThrows(PecfException.class, () -> search(place, after, new ArrayList<>()));
      assertEquals(ErrorCode.CANCELLED, stop.code());
      assertEquals(trials(folder.resolve("whole")).subList(0, after), trials(place));
      TuneResult resumed = search(place, 99, new ArrayList<>());
      assertEquals(trials(folder.resolve("whole")), trials(place));
      assertEquals(whole.best().setting(), resumed.best().setting());
      assertEquals(whole.best().score(), resumed.best().score());
    }
  }

  @Test
  void testPartIsNeverEvaluated() {
    List<RunEvent> events = new ArrayList<>();
    search(folder.resolve("search"), 99, events);
    List<Part> parts =
        events.stream()
            .filter(event -> event instanceof Evaluated)
            .map(event -> ((Evaluated) event).part())
            .distinct()
            .toList();
    assertEquals(List.of(Part.VALIDATION), parts);
    assertEquals(
        1,
        events.stream()
            .filter(event -> event.getClass().getSimpleName().equals("DatasetLoaded"))
            .count(),
        "data is loaded once");
  }

  @Test
  void moreTrialsExtendARandomSearch() throws IOException {
    Path search = folder.resolve("extended");
    String random = TINY + " --search nu=1..20 --trials ";
    assertEquals(0, execute("tune", random + 2, search), err());
    List<String> two = trials(search);
    assertEquals(0, execute("tune", random + 4, search), err());
    assertEquals(4, trials(search).size());
    assertEquals(two, trials(search).subList(0, 2));
    Path whole = folder.resolve("at-once");
    assertEquals(0, execute("tune", random + 4, whole), err());
    assertEquals(trials(whole), trials(search));
  }

  @Test
  void moreTrialsExtendAHalvingSearchByTheTrainingsThatItLacks() throws IOException {
    Path search = folder.resolve("more");
    assertEquals(0, execute("tune", HALVING, search), err());
    List<String> smaller = trials(search);
    assertEquals(5, smaller.size(), "4 settings with 1 sweep, the best with 3");
    String more = HALVING.replace("--trials 4", "--trials 7");
    assertEquals(0, execute("tune", more, search), err());
    assertEquals(smaller, trials(search).subList(0, 5));
    Path whole = folder.resolve("at-once");
    assertEquals(0, execute("tune", more, whole), err());
    Set<String> found = new HashSet<>(trials(search));
    assertTrue(found.containsAll(trials(whole)), "7 with 1 sweep, the best two with 3");
    assertEquals(
        Files.readString(whole.resolve("best.yaml")),
        Files.readString(search.resolve("best.yaml")));
    assertEquals(0, execute("tune", HALVING, search), err());
    assertEquals(found, new HashSet<>(trials(search)), "the smaller search is in the larger");
  }
}
