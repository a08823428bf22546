package org.pecf.engine.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.pecf.api.run.Cancellation;
import org.pecf.api.run.RunListener;
import org.pecf.engine.construct.Construction;
import org.pecf.engine.construct.EmSettings;
import org.pecf.engine.data.DataRequest;
import org.pecf.engine.evaluate.EvaluationRequest;
import org.pecf.engine.evaluate.Metric;
import org.pecf.engine.evaluate.MetricKey;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.split.Confidence;
import org.pecf.engine.split.SplitRule;

/**
 * Describe a training step by step and run it: PECF as a library. What is not said is as on the
 * command line.
 *
 * <p>Plugins are found on the module path, on the class path and in the folders given.
 */
public final class Training {
  private final List<Path> plugins = new ArrayList<>();
  private final List<ProviderChoice> filters = new ArrayList<>();
  private DataRequest data;
  private SplitRule split = SplitRule.usual();
  private Construction construction = Construction.PROGRESSIVE;
  private Optional<ProviderChoice> weighting = Optional.empty();
  private Optional<ProviderChoice> alpha = Optional.empty();
  private int rounds = 4;
  private int patience;
  private Confidence confidence = new Confidence(1, 0.01f);
  private long seed = 1;
  private ComputeRequest compute = ComputeRequest.standard();
  private Optional<EvaluationRequest> evaluation = Optional.empty();
  private RunListener listener = RunListener.none();
  private Cancellation cancellation = () -> false;

  private Training(DataRequest data) {
    this.data = data;
  }

  /** Train on a file, a folder, or embedded data such as {@code builtin:demo}. */
  public static Training on(String location) {
    return new Training(DataRequest.of(location));
  }

  /** Train on what a request describes. */
  public static Training on(DataRequest data) {
    return new Training(data);
  }

  /** Look for plugins in a folder as well. */
  public Training plugins(Path folder) {
    plugins.add(folder);
    return this;
  }

  /** Divide the data by a rule such as {@code positives:8:1:1} or {@code leave-one-out}. */
  public Training split(String rule) {
    split = SplitRule.parse(rule);
    return this;
  }

  /** Use a filter; several are used in turn. Without any it is wmf. */
  public Training filter(String id, Map<String, String> options) {
    filters.add(new ProviderChoice(id, options));
    return this;
  }

  /** Grow the ensemble by a construction such as {@code progressive}. */
  public Training construction(String name) {
    construction = Construction.named(name);
    return this;
  }

  /** Weigh cells by a scheme other than the construction's own. */
  public Training weighting(String id, Map<String, String> options) {
    weighting = Optional.of(new ProviderChoice(id, options));
    return this;
  }

  /** Choose alpha by a strategy other than the construction's own, such as {@code fixed:0.4}. */
  public Training alpha(String text) {
    alpha = Optional.of(ProviderChoice.parse(text));
    return this;
  }

  /** Add so many members to the first one at most. */
  public Training rounds(int count) {
    rounds = count;
    return this;
  }

  /** Stop after so many rounds without a better validation recall, and go back to the best. */
  public Training patience(int count) {
    patience = count;
    return this;
  }

  /** Let positives and zeros count so much. */
  public Training confidence(float positive, float zero) {
    confidence = new Confidence(positive, zero);
    return this;
  }

  /** Draw all random numbers from a seed. */
  public Training seed(long value) {
    seed = value;
    return this;
  }

  /** Compute on something other than the best backend with all processors. */
  public Training compute(ComputeRequest request) {
    compute = request;
    return this;
  }

  /** Measure something else. */
  public Training evaluation(EvaluationRequest request) {
    evaluation = Optional.of(request);
    return this;
  }

  /** Hear of everything that happens. */
  public Training listener(RunListener hears) {
    listener = hears;
    return this;
  }

  /** Stop when asked to; members finished by then are kept. */
  public Training cancellation(Cancellation token) {
    cancellation = token;
    return this;
  }

  /** Return what would be run. */
  public TrainingRequest request() {
    EvaluationRequest measured = evaluation.orElse(EvaluationRequest.standard(split));
    return new TrainingRequest(
        data,
        split,
        filters.isEmpty() ? List.of(ProviderChoice.of("wmf")) : filters,
        construction,
        weighting.orElse(construction.defaultWeighting()),
        alpha.orElse(construction.defaultAlpha()),
        rounds,
        patience,
        new MetricKey(Metric.RECALL, measured.cutoffs().get(0)),
        EmSettings.DEFAULT,
        1,
        confidence,
        seed,
        compute,
        measured);
  }

  /** Load, split, train and evaluate; the caller closes the result. */
  public TrainingResult run() {
    return TrainingRun.execute(request(), PluginCatalog.load(plugins), listener, cancellation);
  }
}
