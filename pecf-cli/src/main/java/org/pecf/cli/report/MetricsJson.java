package org.pecf.cli.report;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.pecf.api.data.Part;
import org.pecf.api.run.TrainingStep;
import org.pecf.cli.run.RunDetails;
import org.pecf.engine.construct.ConstructionEvent.MemberFinished;
import org.pecf.engine.data.DatasetSummary;
import org.pecf.engine.data.split.Split;
import org.pecf.engine.data.split.SplitRule;
import org.pecf.engine.effort.SettingsChosen;
import org.pecf.engine.evaluate.CandidatePolicy;
import org.pecf.engine.evaluate.EvaluationReport;
import org.pecf.engine.evaluate.EvaluationRequest;
import org.pecf.engine.evaluate.SampledUsers;
import org.pecf.engine.file.OutputFile;
import org.pecf.engine.json.JsonText;
import org.pecf.engine.recommend.MeasuredModel;
import org.pecf.engine.request.TrainingRequest;
import org.pecf.engine.resource.BackendOpened;
import org.pecf.engine.run.TrainingResult;
import org.pecf.engine.run.TrainingRunEvent.MemoryUse;

/** The JSON form of a run's results, for programs: an object with a field per component. */
public final class MetricsJson {
  /** The name of the file in an output folder. */
  public static final String NAME = "metrics.json";

  private MetricsJson() {}

  /**
   * The results of a training.
   *
   * @param created the time at which they were written
   * @param metrics the metrics of the measured model by part
   * @param samples the users that were measured by part, where these are not all
   * @param metricsOf the model that the metrics are of
   * @param refit the training of the same plan on all data, if that followed
   * @param definitions the meaning of each metric
   * @param seconds the duration of each phase
   * @param comparison simpler predictions beside the ensemble, if they were measured
   * @param settings the settings chosen for the data, if any were
   */
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  record OfTraining(
      String created,
      Versions versions,
      boolean complete,
      long seed,
      TrainingRequest request,
      Data data,
      Optional<BackendOpened> backend,
      List<RunDetails.MemberPlan> plans,
      List<Round> rounds,
      Protocol protocol,
      Map<String, Map<String, Double>> metrics,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, SampledUsers> samples,
      String metricsOf,
      Optional<Refit> refit,
      Map<String, String> definitions,
      Map<String, Double> seconds,
      MemoryUse memory,
      Optional<Simpler> comparison,
      Optional<SettingsChosen> settings) {}

  /**
   * The metrics of a stored model.
   *
   * @param model the folder of the model
   * @param samples the users that were measured by part, where these are not all
   */
  record OfModel(
      String model,
      Data data,
      Versions versions,
      Protocol protocol,
      Map<String, Map<String, Double>> metrics,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, SampledUsers> samples,
      Map<String, String> definitions) {}

  /**
   * The versions of the program, of Java, of the system and of plugins.
   *
   * @param plugins versions by kind and id
   */
  record Versions(String pecf, String java, String system, Map<String, String> plugins) {
    static Versions of(String pecf, Map<String, String> plugins) {
      String system =
          String.join(
              " ",
              System.getProperty("os.name"),
              System.getProperty("os.version"),
              System.getProperty("os.arch"));
      return new Versions(pecf, Runtime.version().toString(), system, plugins);
    }
  }

  /**
   * The data that was measured on.
   *
   * @param format the format that was recognised, if that was left to PECF
   * @param parts the positives of each part of a training
   */
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  record Data(
      String fingerprint,
      int users,
      int items,
      int positives,
      double density,
      long ratingsRead,
      long droppedAsDuplicates,
      long droppedByRule,
      long droppedByRarity,
      Optional<String> format,
      Optional<Map<Part, Integer>> parts) {
    static Data of(
        DatasetSummary summary,
        String fingerprint,
        Optional<String> format,
        Optional<Map<Part, Integer>> parts) {
      return new Data(
          fingerprint,
          summary.users(),
          summary.items(),
          summary.positives(),
          summary.density(),
          summary.ratingsRead(),
          summary.droppedAsDuplicates(),
          summary.droppedByRule(),
          summary.droppedByRarity(),
          format,
          parts);
    }
  }

  /**
   * A round of a training.
   *
   * @param kept whether its member is in the ensemble
   * @param weight the weight of the member there
   * @param steps the steps that the filter reported
   * @param measures the measures of the last step, by name
   * @param validation the metrics of the ensemble up to this member
   */
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  record Round(
      int member,
      String filter,
      double alpha,
      boolean kept,
      OptionalDouble weight,
      OptionalInt steps,
      @JsonAnyGetter Map<String, Double> measures,
      Map<String, Double> validation,
      double seconds) {
    static Round of(MemberFinished round, Map<Integer, Double> weights) {
      Double weight = weights.get(round.member());
      return new Round(
          round.member(),
          round.filter(),
          round.alpha(),
          weight != null,
          weight == null ? OptionalDouble.empty() : OptionalDouble.of(weight),
          round.lastStep().stream().mapToInt(TrainingStep::step).findFirst(),
          round.lastStep().map(TrainingStep::measures).orElse(Map.of()),
          round.validation(),
          round.seconds());
    }
  }

  /**
   * The way in which metrics were measured.
   *
   * @param caveat a warning for readers of the metrics
   */
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  record Protocol(SplitRule split, CandidatePolicy candidates, Optional<String> caveat) {
    static Protocol of(SplitRule split, EvaluationRequest evaluation) {
      CandidatePolicy candidates = evaluation.candidates();
      return new Protocol(split, candidates, candidates.caveat(split));
    }
  }

  /** The training of a measured plan on all data. */
  record Refit(int members, int positives) {}

  /**
   * Simpler predictions beside an ensemble.
   *
   * @param predictions metrics by name of the prediction
   */
  record Simpler(Part part, Map<String, Map<String, Double>> predictions) {}

  /** Describe a training, with what its events told. */
  public static Record of(
      TrainingResult result, RunDetails record, String version, Instant created) {
    Split split = result.split();
    Map<Part, Integer> parts = new LinkedHashMap<>();
    parts.put(Part.TRAINING, split.training().count());
    parts.put(Part.VALIDATION, split.validation().count());
    parts.put(Part.TEST, split.test().count());
    return new OfTraining(
        created.toString(),
        Versions.of(version, result.plugins()),
        result.complete(),
        result.request().seed(),
        result.request(),
        Data.of(
            result.dataset().summary(),
            result.dataset().fingerprint(),
            record.format(),
            Optional.of(parts)),
        record.backend(),
        record.plans(),
        result.rounds().stream().map(round -> Round.of(round, result.weights())).toList(),
        Protocol.of(result.request().split(), result.request().evaluation()),
        metrics(result.reports()),
        samples(result.reports()),
        result.metricsOf(),
        result
            .refitted()
            .map(all -> new Refit(all.ensemble().size(), all.split().training().count())),
        definitions(result.reports()),
        record.seconds(),
        result.memory(),
        result.comparison().map(beside -> new Simpler(beside.part(), metrics(beside.reports()))),
        result.chosen());
  }

  /** Describe the metrics of a stored model. */
  public static Record of(MeasuredModel result, Path model, String version) {
    return new OfModel(
        model.toString(),
        Data.of(result.data(), result.dataFingerprint(), Optional.empty(), Optional.empty()),
        Versions.of(version, result.description().plugins()),
        Protocol.of(result.split(), result.evaluation()),
        metrics(result.reports()),
        samples(result.reports()),
        definitions(result.reports()));
  }

  private static Map<String, Map<String, Double>> metrics(Map<?, EvaluationReport> reports) {
    Map<String, Map<String, Double>> metrics = new LinkedHashMap<>();
    reports.forEach((name, report) -> metrics.put(name.toString(), report.named()));
    return metrics;
  }

  private static Map<String, SampledUsers> samples(Map<?, EvaluationReport> reports) {
    Map<String, SampledUsers> samples = new LinkedHashMap<>();
    reports.forEach(
        (name, report) ->
            report.sampled().ifPresent(sample -> samples.put(name.toString(), sample)));
    return samples;
  }

  private static Map<String, String> definitions(Map<?, EvaluationReport> reports) {
    Map<String, String> definitions = new LinkedHashMap<>();
    reports.values().forEach(report -> definitions.putAll(report.definitions()));
    return definitions;
  }

  /** Write results to a file, which is complete from the moment it appears. */
  public static void write(Record results, Path file) {
    OutputFile.at(file).write(JsonText.of(results));
  }
}
