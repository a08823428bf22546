package org.pecf.engine.request;

import java.lang.invoke.MethodHandles;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionDescription;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.engine.construct.Construction;
import org.pecf.engine.construct.EnsembleRequest;
import org.pecf.engine.data.DataRequest;
import org.pecf.engine.data.FormatRecogniser;
import org.pecf.engine.data.split.SplitRule;
import org.pecf.engine.evaluate.CandidatePolicy;
import org.pecf.engine.evaluate.EvaluationRequest;
import org.pecf.engine.evaluate.MetricKey;
import org.pecf.engine.evaluate.Metrics;

/**
 * Everything that is asked of a run, by topic: the same request on the same data gives the same
 * model.
 *
 * <p>The components describe themselves as options. From those descriptions come the command line,
 * its help, configuration files and searches; {@code RequestJson} is the form in files. An option
 * is added by adding a component.
 *
 * @param data the ratings
 * @param ensemble the ensemble to train on them
 * @param evaluation the metrics to measure
 * @param compute the resources to compute with
 */
public record TrainingRequest(
    DataRequest data,
    @Option(
            value =
                "How data is divided: positives:3:1:1, leave-one-out, temporal, files, paper (all"
                    + " cells, zeros included, 3:1:1) or none (all data is for training, nothing is"
                    + " measured)",
            label = "RULE",
            defaultValue = "positives:3:1:1")
        SplitRule split,
    EnsembleRequest ensemble,
    EvaluationRequest evaluation,
    ComputeRequest compute,
    @Option(value = "The root of all randomness", defaultValue = "1") long seed) {
  /** All options of a run. */
  public static final OptionSchema<TrainingRequest> SCHEMA =
      OptionSchema.of(MethodHandles.lookup(), TrainingRequest.class);

  /** The id that leaves the choice of a loader or a backend to the engine. */
  static final String AUTO = FormatRecogniser.AUTO;

  /**
   * Read a request.
   *
   * @param options the options that were given: texts by key. Not modified.
   * @throws org.pecf.api.PecfException for an unknown key or a text that is no such value
   */
  public static TrainingRequest of(Map<String, String> options) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (OptionDescription option : SCHEMA.descriptions()) {
      if (!option.defaultValue().isEmpty()) {
        texts.put(option.key(), option.defaultValue());
      }
    }
    if (options.containsKey("validation-data") || options.containsKey("test-data")) {
      texts.put("split", "files");
    }
    texts.putAll(options);
    addDependentDefaults(texts, options);
    return SCHEMA.bind("", texts);
  }

  /** Add the defaults that depend on other options or on the machine. */
  private static void addDependentDefaults(Map<String, String> texts, Map<String, String> options) {
    Construction construction = Construction.named(text(texts, "construction").strip());
    if (construction == Construction.GREEDY && !options.containsKey("rounds")) {
      // One member for each filter.
      texts.put("rounds", "0");
    }
    texts.putIfAbsent("weighting", construction.defaultWeighting().id());
    texts.putIfAbsent("alpha", construction.defaultAlpha().id());
    texts.putIfAbsent("weights", construction.defaultWeights().toString());
    CandidatePolicy candidates = CandidatePolicy.usual(SplitRule.parse(text(texts, "split")));
    texts.putIfAbsent("candidates", candidates.id());
    EvaluationRequest evaluation =
        EvaluationRequest.SCHEMA.bind(
            "", Map.of("cutoffs", text(texts, "cutoffs"), "candidates", candidates.id()));
    texts.putIfAbsent("select", evaluation.usual().toString());
    // Who selects by a metric wants it measured.
    MetricKey selected = MetricKey.parse(text(texts, "select").strip());
    if (!Metrics.areStandard(List.of(selected.metric()))) {
      texts.merge("metrics", selected.metric(), (given, id) -> given + "," + id);
    }
    ComputeRequest.machine().forEach(texts::putIfAbsent);
  }

  private static String text(Map<String, String> texts, String key) {
    return Objects.requireNonNull(texts.get(key));
  }

  /** Return this request with other data. */
  public TrainingRequest withData(DataRequest changed) {
    return new TrainingRequest(changed, split, ensemble, evaluation, compute, seed);
  }

  /** Return this request with another split, and with other metrics to measure. */
  public TrainingRequest withProtocol(SplitRule rule, EvaluationRequest measured) {
    return new TrainingRequest(data, rule, ensemble, measured, compute, seed);
  }

  /** Return this request with another ensemble. */
  public TrainingRequest withEnsemble(EnsembleRequest changed) {
    return new TrainingRequest(data, split, changed, evaluation, compute, seed);
  }

  /** Return this request with other resources. */
  public TrainingRequest withCompute(ComputeRequest changed) {
    return new TrainingRequest(data, split, ensemble, evaluation, changed, seed);
  }

  /** Return this request with another seed. */
  public TrainingRequest withSeed(long changed) {
    return new TrainingRequest(data, split, ensemble, evaluation, compute, changed);
  }
}
