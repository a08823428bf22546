package org.pecf.engine.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputationPath;
import org.pecf.engine.construct.Construction;
import org.pecf.engine.construct.EmSettings;
import org.pecf.engine.construct.EnsembleRequest;
import org.pecf.engine.construct.MemberWeights;
import org.pecf.engine.data.DataRequest;
import org.pecf.engine.data.DuplicatePolicy;
import org.pecf.engine.data.PositiveRule;
import org.pecf.engine.data.split.Confidence;
import org.pecf.engine.data.split.SplitRule;
import org.pecf.engine.evaluate.CandidatePolicy;
import org.pecf.engine.evaluate.EvaluationRequest;
import org.pecf.engine.evaluate.MetricKey;
import org.pecf.engine.evaluate.UserSample;
import org.pecf.engine.json.JsonText;
import org.pecf.engine.json.RequestJson;
import org.pecf.engine.plugin.ProviderChoice;

class TrainingRequestTest {
  /** A request in which nothing is at its default. */
  private static final TrainingRequest OTHER =
      new TrainingRequest(
          new DataRequest(
              "x.csv",
              Optional.of("v.csv"),
              Optional.of("t.csv"),
              new ProviderChoice("csv", Map.of("separator", ";")),
              PositiveRule.parse(">=3.5"),
              2,
              3,
              DuplicatePolicy.HIGHEST),
          SplitRule.parse("temporal:8:1:1"),
          new EnsembleRequest(
              Construction.BOOSTED,
              List.of(
                  new ProviderChoice("wmf", Map.of("rank", "7", "lambda", "0.5")),
                  ProviderChoice.of("bpr")),
              9,
              2,
              MetricKey.parse("ndcg@20"),
              new Confidence(2, 0.5f),
              new ProviderChoice("posterior", Map.of("nu", "3.0")),
              ProviderChoice.parse("fixed:0.4"),
              MemberWeights.of(0.5, 0.25),
              3,
              new EmSettings(5, EmSettings.Start.L2BOOST, OptionalDouble.of(0.5), 7, 0.125)),
          new EvaluationRequest(
              List.of(5, 20),
              CandidatePolicy.ALL_BUT_TRAINING,
              new UserSample(100, 7),
              List.of("rank-of-first")),
          new ComputeRequest(
              new ProviderChoice("cpu", Map.of("library", "ejml")),
              3,
              new MemorySize(5L << 30),
              ComputationPath.CORRECTED,
              0.125),
          -5);

  /** Models that were stored before plugins had metrics. */
  @Test
  void aRecordWithoutMetricsIsRead() {
    TrainingRequest usual = TrainingRequest.of(Map.of());
    String json = JsonText.line(usual);
    assertTrue(json.contains(",\"metrics\":[]"), json);
    assertEquals(usual, RequestJson.read(json.replace(",\"metrics\":[]", "")));
  }

  @Test
  void defaultsThatDependOnOthersFollowThem() {
    TrainingRequest usual = TrainingRequest.of(Map.of());
    assertEquals("builtin:demo", usual.data().location());
    assertEquals("posterior", usual.ensemble().weighting().id());
    assertEquals("uniform", usual.ensemble().alpha().id());
    assertEquals(CandidatePolicy.ALL_BUT_KNOWN, usual.evaluation().candidates());
    assertEquals("recall@50", usual.ensemble().selection().toString());
    assertEquals(Runtime.getRuntime().availableProcessors(), usual.compute().threads());
    assertEquals("files", TrainingRequest.of(Map.of("test-data", "t")).split().toString());
    TrainingRequest other =
        TrainingRequest.of(Map.of("construction", "l2boost", "split", "paper", "cutoffs", "20,10"));
    assertEquals("uniform", other.ensemble().weighting().id());
    assertEquals("fixed", other.ensemble().alpha().id());
    assertEquals(CandidatePolicy.PART_CELLS, other.evaluation().candidates());
    assertEquals(List.of(20, 10), other.evaluation().cutoffs());
    assertEquals("recall@20", other.ensemble().selection().toString());
  }

  @Test
  void everyOptionComesBackFromJson() {
    assertEquals(OTHER, RequestJson.read(RequestJson.write(OTHER)));
    TrainingRequest usual = TrainingRequest.of(Map.of());
    assertEquals(usual, RequestJson.read(RequestJson.write(usual)));
  }

  @Test
  void nothingIsAtItsDefaultInTheOtherRequest() {
    Map<String, String> usual = TrainingRequest.SCHEMA.texts(TrainingRequest.of(Map.of()));
    Map<String, String> other = TrainingRequest.SCHEMA.texts(OTHER);
    assertEquals(new TreeSet<>(TrainingRequest.SCHEMA.keys()), new TreeSet<>(other.keySet()));
    // Where the machine has three processors, so have both.
    other.keySet().removeAll(Set.of("threads"));
    other.forEach((key, text) -> assertTrue(!text.equals(usual.get(key)), key + " is " + text));
  }

  @Test
  void jsonIsWrittenForPeople() {
    String json = RequestJson.write(OTHER);
    for (String expected :
        List.of(
            "\"location\" : \"x.csv\"",
            "\"positive\" : \">=3.5\"",
            "\"duplicates\" : \"highest\"",
            "\"split\" : \"temporal:8:1:1\"",
            "\"construction\" : \"boosted\"",
            "\"selection\" : \"ndcg@20\"",
            "\"confidence\" : \"2.0:0.5\"",
            "\"cutoffs\" : [ 5, 20 ]",
            "\"candidates\" : \"all-but-training\"",
            "\"memory\" : \"5g\"",
            "\"seed\" : -5")) {
      assertTrue(json.contains(expected), json);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "null", "[]", "{}", "{\"data\": 3}", "{"})
  void otherJsonIsRefused(String json) {
    PecfException problem = assertThrows(PecfException.class, () -> RequestJson.read(json));
    assertEquals(ErrorCode.BAD_MODEL, problem.code());
  }

  @Test
  void jsonWithAPartMissingOrWrongIsRefused() {
    String json = RequestJson.write(OTHER);
    for (String changed :
        List.of(
            json.replace("\"seed\" : -5", "\"sead\" : -5"),
            json.replace("\"temporal:8:1:1\"", "\"temporal:8\""),
            json.replace("\"threads\" : 3", "\"threads\" : null"),
            json.replace("\"highest\"", "\"HIGHEST\""))) {
      assertThrows(PecfException.class, () -> RequestJson.read(changed), changed);
    }
  }

  @Test
  void onlyOptionsWithAnEffectAreTold() {
    EnsembleRequest single =
        TrainingRequest.of(Map.of("construction", "single", "confidence", "1:0.5")).ensemble();
    assertEquals(
        Map.of("construction", "single", "filter", "wmf", "confidence", "1.0:0.5", "chains", "1"),
        single.texts());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          rounds | -1 | rounds must be at least 0, not -1.
          threads | 0 | threads must be at least 1, not 0.
          weight-error | 1 | weight-error must be at least 0 and below 1, not 1.0.
          cutoffs | 0 | cutoffs must be between 1 and 999999999, not 0.
          memory | much | 'much' is not an amount of memory. Write for example 8g or 512m.
          rnk | 1 | There is no option 'rnk'.
          """)
  void mistakesAreExplained(String key, String text, String message) {
    PecfException problem =
        assertThrows(PecfException.class, () -> TrainingRequest.of(Map.of(key, text)));
    assertEquals(ErrorCode.BAD_OPTION, problem.code());
    assertTrue(problem.getMessage().startsWith(message), problem.getMessage());
  }
}
