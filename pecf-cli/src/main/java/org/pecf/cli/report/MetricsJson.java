package org.pecf.cli.report;

import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.pecf.api.data.Part;
import org.pecf.cli.console.Version;
import org.pecf.cli.run.RunDetails;
import org.pecf.engine.construct.ConstructionEvent.MemberFinished;
import org.pecf.engine.data.DatasetSummary;
import org.pecf.engine.data.split.Split;
import org.pecf.engine.data.split.SplitRule;
import org.pecf.engine.evaluate.EvaluationReport;
import org.pecf.engine.evaluate.EvaluationRequest;
import org.pecf.engine.file.OutputFile;
import org.pecf.engine.json.JsonText;
import org.pecf.engine.recommend.MeasuredModel;
import org.pecf.engine.run.TrainingResult;

/** The JSON form of a run's results, for programs: fields by name, in the order of the file. */
public final class MetricsJson {
  /** The name of the file in an output folder. */
  public static final String NAME = "metrics.json";

  /** The training of a measured plan on all data. */
  record Refit(int members, String split, int positives, Map<String, Object> metrics) {}

  /** The metrics of simpler predictions beside an ensemble. */
  record Simpler(Part part, Map<String, Object> predictions) {}

  private MetricsJson() {}

  /** Write results to a file, which is complete from the moment it appears. */
  public static void write(Map<String, Object> results, Path file) {
    OutputFile.at(file).write(JsonText.of(results));
  }

  /**
   * Describe a training, with the details taken from its events.
   *
   * @param created the time at which the results are written
   */
  public static Map<String, Object> of(TrainingResult result, RunDetails record, Instant created) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("created", created.toString());
    fields.put("versions", versions(result.plugins()));
    fields.put("complete", result.complete());
    fields.put("seed", result.request().seed());
    fields.put("request", result.request());
    fields.put("data", data(result, record));
    record.backend().ifPresent(backend -> fields.put("backend", backend));
    fields.put("plans", record.plans());
    fields.put(
        "rounds", result.rounds().stream().map(round -> round(round, result.weights())).toList());
    fields.put("protocol", protocol(result.request().split(), result.request().evaluation()));
    fields.put("metrics", metrics(result.reports()));
    putSamples(fields, result.reports());
    fields.put("metricsOf", result.metricsOf());
    result
        .refitted()
        .ifPresent(
            all ->
                fields.put(
                    "refit",
                    new Refit(
                        all.ensemble().size(),
                        all.request().split().toString(),
                        all.split().training().count(),
                        metrics(all.reports()))));
    fields.put("definitions", definitions(result.reports()));
    fields.put("seconds", record.seconds());
    fields.put("memory", result.memory());
    result
        .comparison()
        .map(beside -> new Simpler(beside.part(), metrics(beside.reports())))
        .ifPresent(beside -> fields.put("comparison", beside));
    result.chosen().ifPresent(chosen -> fields.put("settings", chosen));
    return fields;
  }

  /** Describe the metrics of a stored model. */
  public static Map<String, Object> of(MeasuredModel result, Path model) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("model", model.toString());
    fields.put("data", data(result.data(), result.dataFingerprint()));
    fields.put("versions", versions(result.description().plugins()));
    fields.put("protocol", protocol(result.split(), result.evaluation()));
    fields.put("metrics", metrics(result.reports()));
    putSamples(fields, result.reports());
    fields.put("definitions", definitions(result.reports()));
    return fields;
  }

  /** Return the versions of the program, of Java, of the system and of plugins by kind and id. */
  private static Map<String, Object> versions(Map<String, String> plugins) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("pecf", Version.number());
    fields.put("java", Runtime.version().toString());
    fields.put(
        "system",
        String.join(
            " ",
            System.getProperty("os.name"),
            System.getProperty("os.version"),
            System.getProperty("os.arch")));
    fields.put("plugins", plugins);
    return fields;
  }

  private static Map<String, Object> data(TrainingResult result, RunDetails record) {
    Map<String, Object> fields = data(result.dataset().summary(), result.dataset().fingerprint());
    record.format().ifPresent(format -> fields.put("format", format));
    Split split = result.split();
    Map<String, Object> parts = new LinkedHashMap<>();
    parts.put(Part.TRAINING.toString(), split.training().count());
    parts.put(Part.VALIDATION.toString(), split.validation().count());
    parts.put(Part.TEST.toString(), split.test().count());
    fields.put("parts", parts);
    return fields;
  }

  private static Map<String, Object> data(DatasetSummary summary, String fingerprint) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("fingerprint", fingerprint);
    fields.put("users", summary.users());
    fields.put("items", summary.items());
    fields.put("positives", summary.positives());
    fields.put("density", summary.density());
    fields.put("ratingsRead", summary.ratingsRead());
    fields.put("droppedAsDuplicates", summary.droppedAsDuplicates());
    fields.put("droppedByRule", summary.droppedByRule());
    fields.put("droppedByRarity", summary.droppedByRarity());
    return fields;
  }

  /**
   * Return a round of a training: whether its member was kept, with which weight, and the measures
   * of its last step among the other fields.
   */
  static Map<String, Object> round(MemberFinished round, Map<Integer, Double> weights) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("member", round.member());
    fields.put("filter", round.filter());
    fields.put("alpha", round.alpha());
    Double weight = weights.get(round.member());
    fields.put("kept", weight != null);
    if (weight != null) {
      fields.put("weight", weight);
    }
    round.lastStep().ifPresent(step -> fields.put("steps", step.step()));
    round.lastStep().ifPresent(step -> fields.putAll(step.measures()));
    fields.put("validation", round.validation());
    fields.put("seconds", round.seconds());
    return fields;
  }

  private static Map<String, Object> protocol(SplitRule split, EvaluationRequest evaluation) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("split", split);
    fields.put("candidates", evaluation.candidates());
    evaluation.candidates().caveat(split).ifPresent(caveat -> fields.put("caveat", caveat));
    return fields;
  }

  private static Map<String, Object> metrics(Map<?, EvaluationReport> reports) {
    Map<String, Object> fields = new LinkedHashMap<>();
    reports.forEach((name, report) -> fields.put(name.toString(), report.named()));
    return fields;
  }

  /** Name the users that were measured, where these are not all. */
  private static void putSamples(Map<String, Object> fields, Map<?, EvaluationReport> reports) {
    Map<String, Object> samples = new LinkedHashMap<>();
    reports.forEach(
        (name, report) ->
            report.sampled().ifPresent(sample -> samples.put(name.toString(), sample)));
    if (!samples.isEmpty()) {
      fields.put("samples", samples);
    }
  }

  private static Map<String, String> definitions(Map<?, EvaluationReport> reports) {
    Map<String, String> definitions = new LinkedHashMap<>();
    reports.values().forEach(report -> definitions.putAll(report.definitions()));
    return definitions;
  }
}
