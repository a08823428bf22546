package org.pecf.cli.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.pecf.api.compute.LeastSquaresPlan;
import org.pecf.cli.run.RunRecord;
import org.pecf.engine.construct.MemberFinished;
import org.pecf.engine.data.DatasetSummary;
import org.pecf.engine.evaluate.EvaluationReport;
import org.pecf.engine.evaluate.EvaluationRequest;
import org.pecf.engine.file.OutputFile;
import org.pecf.engine.json.JsonText;
import org.pecf.engine.json.RequestJson;
import org.pecf.engine.recommend.MeasuredModel;
import org.pecf.engine.run.Comparison;
import org.pecf.engine.run.TrainingResult;
import org.pecf.engine.split.SplitRule;
import org.pecf.study.effort.Candidate;
import org.pecf.study.effort.SettingsChosen;

/** The JSON form of a run's results, for programs. */
public final class MetricsJson {
  /** The name of the file in an output folder. */
  public static final String NAME = "metrics.json";

  private MetricsJson() {}

  /**
   * Describe a training run.
   *
   * @param result the run that was measured
   * @param refitted the training of the same plan on all data, if that followed
   */
  public static ObjectNode of(
      TrainingResult result,
      Optional<TrainingResult> refitted,
      RunRecord record,
      String version,
      Instant created) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("created", created.toString());
    json.set("versions", versions(version, result.plugins()));
    json.put("complete", result.complete());
    json.put("seed", result.request().seed());
    json.set("request", tree(RequestJson.write(result.request())));
    ObjectNode data = data(result.dataset().summary(), result.dataset().fingerprint());
    record.format().ifPresent(format -> data.put("format", format));
    data.putObject("parts")
        .put("training", result.split().training().count())
        .put("validation", result.split().validation().count())
        .put("test", result.split().test().count());
    json.set("data", data);
    record
        .backend()
        .ifPresent(
            backend ->
                json.putObject("backend")
                    .put("id", backend.id())
                    .put("explanation", backend.explanation())
                    .put("threads", backend.threads()));
    ArrayNode plans = json.putArray("plans");
    record.plans().forEach(plan -> plans.add(plan(plan)));
    double[] weights = result.ensemble().weights();
    ArrayNode rounds = json.putArray("rounds");
    result.rounds().forEach(round -> rounds.add(round(round, weights)));
    json.set("protocol", protocol(result.request().split(), result.request().evaluation()));
    json.set("metrics", metrics(result.reports()));
    json.put("metricsOf", refitted.orElse(result).metricsOf());
    refitted.ifPresent(
        all ->
            json.putObject("refit")
                .put("members", all.ensemble().size())
                .put("positives", all.split().training().count()));
    json.set("definitions", definitions(result.reports()));
    json.set("seconds", figures(record.seconds()));
    json.putObject("memory")
        .put("estimatedBytes", result.memory().estimatedBytes())
        .put("peakBytes", result.memory().peakBytes());
    return json;
  }

  /** Add the metrics of simpler predictions, by their names. */
  public static void addComparison(ObjectNode metrics, Comparison comparison) {
    ObjectNode json = metrics.putObject("comparison").put("part", comparison.part().toString());
    ObjectNode predictions = json.putObject("predictions");
    comparison.reports().forEach((name, report) -> predictions.set(name, figures(report.named())));
  }

  /** Add the settings that were chosen for the data, and why. */
  public static void addSettings(ObjectNode metrics, SettingsChosen chosen) {
    ObjectNode json = metrics.putObject("settings").put("effort", chosen.effort().toString());
    chosen.options().forEach(json.putObject("chosen")::put);
    chosen.reasons().forEach(json.putArray("reasons")::add);
    ArrayNode candidates = json.putArray("candidates");
    for (Candidate candidate : chosen.candidates()) {
      ObjectNode entry = candidates.addObject().put("sweeps", candidate.sweeps());
      candidate.settings().forEach(entry.putObject("settings")::put);
      if (!Double.isNaN(candidate.score())) {
        entry.put(chosen.metric(), candidate.score());
      }
    }
  }

  /** Return the metrics of a stored model. */
  public static ObjectNode of(MeasuredModel result, Path model, String version) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("model", model.toString());
    json.set("data", data(result.data(), result.dataFingerprint()));
    json.set("versions", versions(version, result.description().plugins()));
    json.set("protocol", protocol(result.split(), result.evaluation()));
    json.set("metrics", metrics(result.reports()));
    json.set("definitions", definitions(result.reports()));
    return json;
  }

  /** Describe the versions of the program, of Java, of the system and of plugins. */
  private static ObjectNode versions(String version, Map<String, String> plugins) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("pecf", version);
    json.put("java", Runtime.version().toString());
    json.put(
        "system",
        System.getProperty("os.name")
            + " "
            + System.getProperty("os.version")
            + " "
            + System.getProperty("os.arch"));
    ObjectNode used = json.putObject("plugins");
    plugins.forEach(used::put);
    return json;
  }

  private static ObjectNode data(DatasetSummary summary, String fingerprint) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("fingerprint", fingerprint)
        .put("users", summary.users())
        .put("items", summary.items())
        .put("positives", summary.positives())
        .put("density", summary.density())
        .put("ratingsRead", summary.ratingsRead())
        .put("droppedAsDuplicates", summary.droppedAsDuplicates())
        .put("droppedByRule", summary.droppedByRule())
        .put("droppedByRarity", summary.droppedByRarity());
  }

  private static ObjectNode plan(RunRecord.MemberPlan ofMember) {
    LeastSquaresPlan plan = ofMember.plan();
    return JsonNodeFactory.instance
        .objectNode()
        .put("member", ofMember.member())
        .put("path", plan.path().name())
        .put("reason", plan.reason())
        .put("exceptions", plan.exceptions())
        .put("cells", plan.cells())
        .put("scoreBound", plan.scoreBound())
        .put("weightError", plan.weightError())
        .put("workingBytes", plan.workingBytes());
  }

  private static ObjectNode round(MemberFinished round, double[] weights) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("member", round.member())
            .put("filter", round.filter())
            .put("alpha", round.alpha())
            .put("kept", round.member() <= weights.length);
    if (round.member() <= weights.length) {
      json.put("weight", weights[round.member() - 1]);
    }
    round
        .lastStep()
        .ifPresent(
            step -> {
              json.put("steps", step.step());
              step.measures().forEach(json::put);
            });
    json.set("validation", figures(round.validation()));
    return json.put("seconds", round.seconds());
  }

  /** Describe how figures come about. */
  private static ObjectNode protocol(SplitRule split, EvaluationRequest evaluation) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("split", split.toString())
            .put("candidates", evaluation.candidates().id());
    evaluation.candidates().caveat(split).ifPresent(caveat -> json.put("caveat", caveat));
    return json;
  }

  /** Describe figures by part. */
  private static ObjectNode metrics(Map<?, EvaluationReport> reports) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    reports.forEach((part, report) -> json.set(part.toString(), figures(report.named())));
    return json;
  }

  /** Describe what the metrics of reports mean. */
  private static ObjectNode definitions(Map<?, EvaluationReport> reports) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    reports.values().forEach(report -> report.definitions().forEach(json::put));
    return json;
  }

  private static ObjectNode figures(Map<String, Double> figures) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    figures.forEach(json::put);
    return json;
  }

  /** Write JSON to a file, which is complete from the moment it appears. */
  public static void write(ObjectNode json, Path file) {
    OutputFile.at(file).write(JsonText.of(json));
  }

  private static JsonNode tree(String text) {
    try {
      return JsonMapper.builder().build().readTree(text);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
