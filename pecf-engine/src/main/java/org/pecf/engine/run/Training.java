package org.pecf.engine.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.pecf.api.run.Cancellation;
import org.pecf.api.run.RunListener;
import org.pecf.engine.data.DataRequest;
import org.pecf.engine.evaluate.EvaluationRequest;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.request.ComputeRequest;
import org.pecf.engine.request.RequestOptions;
import org.pecf.engine.request.TrainingRequest;

/**
 * A training that is described step by step and then run: PECF as a library. Everything else is as
 * on the command line.
 *
 * <p>Plugins are found on the module path, on the class path and in the folders given.
 */
public final class Training {
  private final List<Path> plugins = new ArrayList<>();
  private final List<ProviderChoice> filters = new ArrayList<>();
  private final Map<String, String> options = new LinkedHashMap<>();
  private Optional<DataRequest> data = Optional.empty();
  private Optional<ProviderChoice> weighting = Optional.empty();
  private Optional<ComputeRequest> compute = Optional.empty();
  private Optional<EvaluationRequest> evaluation = Optional.empty();
  private Optional<CheckpointRequest> checkpoints = Optional.empty();
  private RunListener listener = RunListener.none();
  private Cancellation cancellation = () -> false;

  private Training() {}

  /** Train on a file, a folder, or embedded data such as {@code builtin:demo}. */
  public static Training on(String location) {
    return new Training().option("data", location);
  }

  /** Train on the data that a request describes. */
  public static Training on(DataRequest data) {
    Training training = new Training();
    training.data = Optional.of(data);
    return training;
  }

  /** Look for plugins in a folder as well. */
  public Training plugins(Path folder) {
    plugins.add(folder);
    return this;
  }

  /**
   * Set any option of the command line.
   *
   * @param key the name of the option, such as {@code rounds}, or the id of a plugin and its
   *     option, such as {@code wmf.rank}
   * @param value the value as text
   */
  public Training option(String key, String value) {
    options.put(key, value);
    return this;
  }

  /** Divide the data by a rule such as {@code positives:8:1:1} or {@code leave-one-out}. */
  public Training split(String rule) {
    return option("split", rule);
  }

  /** Use a filter; several are used in turn. Without any it is wmf. */
  public Training filter(String id, Map<String, String> values) {
    filters.add(new ProviderChoice(id, values));
    return this;
  }

  /** Grow the ensemble by a construction such as {@code progressive}. */
  public Training construction(String name) {
    return option("construction", name);
  }

  /** Weight cells by a scheme other than the construction's own. */
  public Training weighting(String id, Map<String, String> values) {
    weighting = Optional.of(new ProviderChoice(id, values));
    return this;
  }

  /** Choose alpha by a strategy other than the construction's own, such as {@code fixed:0.4}. */
  public Training alpha(String text) {
    return option("alpha", text);
  }

  /** Add at most this many members to the first one. */
  public Training rounds(int count) {
    return option("rounds", Integer.toString(count));
  }

  /** Stop after this many rounds without a better validation recall, and go back to the best. */
  public Training patience(int count) {
    return option("patience", Integer.toString(count));
  }

  /** Set the weights of positives and of zeros. */
  public Training confidence(float positive, float zero) {
    return option("confidence", positive + ":" + zero);
  }

  /** Draw all random numbers from a seed. */
  public Training seed(long value) {
    return option("seed", Long.toString(value));
  }

  /** Compute on something other than the best backend with all processors. */
  public Training compute(ComputeRequest request) {
    compute = Optional.of(request);
    return this;
  }

  /** Measure other metrics. */
  public Training evaluation(EvaluationRequest request) {
    evaluation = Optional.of(request);
    return this;
  }

  /** Notify a listener of everything that happens. */
  public Training listener(RunListener changed) {
    listener = changed;
    return this;
  }

  /** Stop when a token says so; members finished by then are kept. */
  public Training cancellation(Cancellation token) {
    cancellation = token;
    return this;
  }

  /** Keep the state of the run, so that it can go on after it was cut off. */
  public Training checkpoints(CheckpointRequest where) {
    checkpoints = Optional.of(where);
    return this;
  }

  /** Return the request that would be run. */
  public TrainingRequest request() {
    return request(PluginCatalog.load(plugins));
  }

  private TrainingRequest request(PluginCatalog catalog) {
    Map<String, String> texts = new LinkedHashMap<>(options);
    evaluation.ifPresent(
        measured -> EvaluationRequest.SCHEMA.texts(measured).forEach(texts::putIfAbsent));
    return new RequestOptions(texts)
        .trial(
            catalog,
            described -> {
              TrainingRequest request = described;
              if (!filters.isEmpty()) {
                request = request.withEnsemble(request.ensemble().withFilters(filters));
              }
              if (weighting.isPresent()) {
                request = request.withEnsemble(request.ensemble().withWeighting(weighting.get()));
              }
              if (data.isPresent()) {
                request = request.withData(data.get());
              }
              return compute.map(request::withCompute).orElse(request);
            });
  }

  /** Load, split, train and evaluate; the caller closes the result. */
  public TrainingResult run() {
    PluginCatalog catalog = PluginCatalog.load(plugins);
    return TrainingRun.execute(request(catalog), catalog, listener, cancellation, checkpoints);
  }
}
