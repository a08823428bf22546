package org.pecf.engine.run;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.arrow.util.AutoCloseables;
import org.pecf.api.PecfException;
import org.pecf.api.run.Cancellation;
import org.pecf.api.run.RunListener;
import org.pecf.api.support.PrivateFolder;
import org.pecf.engine.data.DataRequest;
import org.pecf.engine.data.Interactions;
import org.pecf.engine.effort.Effort;
import org.pecf.engine.effort.Race;
import org.pecf.engine.effort.SettingsChosen;
import org.pecf.engine.evaluate.EvaluationRequest;
import org.pecf.engine.evaluate.UserSample;
import org.pecf.engine.file.FileProblem;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.request.ComputeRequest;
import org.pecf.engine.request.RequestOptions;
import org.pecf.engine.request.TrainingRequest;
import org.pecf.engine.resource.Workspace;

/**
 * A training that is described step by step and then run: PECF as a library. Everything else is as
 * on the command line.
 *
 * <p>Plugins are found on the module path, on the class path and in the folders given.
 */
public final class Training {
  private static final String NO_EFFORT = "none";

  /** The users whose lists are enough to compare settings by. */
  private static final int MOST_USERS = 10_000;

  private final List<Path> plugins = new ArrayList<>();
  private final List<ProviderChoice> filters = new ArrayList<>();
  private final Map<String, String> options = new LinkedHashMap<>();
  private Optional<PluginCatalog> catalog = Optional.empty();
  private Optional<DataRequest> data = Optional.empty();
  private Optional<Interactions> interactions = Optional.empty();
  private Optional<ProviderChoice> weighting = Optional.empty();
  private Optional<ComputeRequest> compute = Optional.empty();
  private Optional<EvaluationRequest> evaluation = Optional.empty();
  private String effort = NO_EFFORT;
  private Optional<Duration> budget = Optional.empty();
  private RunScope scope = RunScope.usual();
  private boolean toBeStored;
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

  /** Train on ratings in memory. */
  public static Training on(Interactions ratings) {
    Training training = on("memory");
    training.interactions = Optional.of(ratings);
    return training;
  }

  /**
   * Train with options of the command line.
   *
   * @param given the options
   * @param plugins where plugins are found
   */
  public static Training with(RequestOptions given, PluginCatalog plugins) {
    Training training = new Training();
    training.options.putAll(given.given());
    training.catalog = Optional.of(plugins);
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

  /**
   * Spend work on finding settings that suit the data, those that were given excepted.
   *
   * @param how {@code none}, {@code quick}, {@code normal}, {@code thorough}; or {@code auto},
   *     which is quick if no setting was given
   */
  public Training effort(String how) {
    effort = how;
    return this;
  }

  /** Spend so much processor time on finding settings, instead of what an effort stands for. */
  public Training budget(Optional<Duration> time) {
    budget = time;
    return this;
  }

  /**
   * Measure simpler predictions too: the popularity of items, and the member that is best by
   * itself.
   */
  public Training compare() {
    scope = scope.withComparison(true);
    return this;
  }

  /** Train the measured plan again on all data, and store or recommend from that. */
  public Training refit(boolean wanted) {
    return refit(Optional.of(Refit.ALL).filter(all -> wanted));
  }

  /** Train the measured plan again on some parts, if any, and store or recommend from that. */
  public Training refit(Optional<Refit> parts) {
    scope = scope.withRefit(parts);
    return this;
  }

  /** Keep trained members in a folder, and take those from it that fit the run. */
  public Training library(Optional<Path> folder) {
    scope = scope.withLibrary(folder);
    return this;
  }

  /** Keep the state of the run, so that it can go on after it was cut off. */
  public Training checkpoints(CheckpointRequest where) {
    return checkpoints(Optional.of(where));
  }

  /** Keep the state of the run in a place if there is one. */
  public Training checkpoints(Optional<CheckpointRequest> where) {
    scope = scope.withCheckpoints(where);
    return this;
  }

  /** Refuse filters whose models cannot be stored, before any work is done. */
  public Training toBeStored(boolean wanted) {
    toBeStored = wanted;
    return this;
  }

  /** Return the request that would be run, if no settings were searched for. */
  public TrainingRequest request() {
    PluginCatalog plugged = catalog();
    return request(texts(), plugged, RequestOptions::request);
  }

  private PluginCatalog catalog() {
    return catalog.orElseGet(() -> PluginCatalog.load(plugins));
  }

  private RequestOptions texts() {
    Map<String, String> texts = new LinkedHashMap<>(options);
    evaluation.ifPresent(
        measured -> EvaluationRequest.SCHEMA.texts(measured).forEach(texts::putIfAbsent));
    return new RequestOptions(texts);
  }

  /** The reading of options as a request, after a change that needs no text. */
  @FunctionalInterface
  private interface Reading {
    TrainingRequest read(
        RequestOptions texts, PluginCatalog catalog, UnaryOperator<TrainingRequest> change);
  }

  private TrainingRequest request(RequestOptions texts, PluginCatalog plugged, Reading reading) {
    return reading.read(
        texts,
        plugged,
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

  /**
   * Look for plugins and a backend, load the data and choose settings, as far as that was asked
   * for: a run that cannot succeed fails before it reads data.
   *
   * @return the run, to be closed by the caller
   */
  public TrainingRun begin() {
    PluginCatalog plugged = catalog();
    RequestOptions texts = texts();
    TrainingRequest trial = request(texts, plugged, RequestOptions::trial);
    RequestOptions settings = texts.withDefaults(filterOptions());
    boolean only = budget.isPresent() && effort.equals(NO_EFFORT);
    Optional<Effort> asked =
        Race.effort(only ? Effort.THOROUGH.toString() : effort, settings, trial, plugged);
    // A search selects by the metric, whatever the training that follows does.
    TrainingRequest given =
        asked.isPresent() ? trial : request(texts, plugged, RequestOptions::request);
    if (scope.refit().isPresent()) {
      TrainingRun.checkRefit(given, plugged);
    }
    if (toBeStored) {
      TrainingRun.checkStorable(given, plugged);
    }
    PreparedData loaded = load(given, plugged);
    Runnable release = loaded::close;
    try {
      RunScope members = scope;
      if (asked.isPresent() && isSearchable(given, loaded)) {
        if (scope.library().isEmpty()) {
          PrivateFolder folder = passing();
          members = scope.withPassingLibrary(folder.path());
          release =
              () -> {
                folder.discard();
                loaded.close();
              };
        }
        SettingsChosen chosen = choose(asked.get(), settings, given, loaded, members);
        TrainingRequest request =
            request(texts.with(chosen.options()), plugged, RequestOptions::trial);
        return new TrainingRun(request, loaded, members, Optional.of(chosen), release);
      }
      TrainingRequest request = request(texts, plugged, RequestOptions::request);
      return new TrainingRun(request, loaded, scope, Optional.empty(), release);
    } catch (RuntimeException | Error e) {
      AutoCloseables.close(e, release::run);
      throw e;
    }
  }

  /** Create a folder for the members that a race has trained until one of them is the result. */
  private static PrivateFolder passing() {
    try {
      return PrivateFolder.create("members");
    } catch (IOException e) {
      throw PecfException.resources(
          "The members of a race cannot be kept in %s: %s. Give a folder for them by a library of"
              + " members.",
          System.getProperty("java.io.tmpdir"), FileProblem.reason(e));
    }
  }

  private PreparedData load(TrainingRequest request, PluginCatalog plugged) {
    Workspace workspace = new Workspace(plugged, request.compute(), listener, cancellation);
    return PreparedData.of(
        () -> {
          TrainingRun.plan(request, plugged);
          workspace.lookForBackend();
          return interactions.isPresent()
              ? workspace.take(interactions.get(), request.data())
              : workspace.load(request.data());
        },
        workspace);
  }

  /** Return the options that filters were given beside texts, as texts. */
  private Map<String, String> filterOptions() {
    Map<String, String> texts = new LinkedHashMap<>();
    filters.forEach(
        filter ->
            filter.options().forEach((key, value) -> texts.put(filter.id() + "." + key, value)));
    return texts;
  }

  /**
   * Return whether there is something to choose settings by; if they were asked for, there must be.
   */
  private boolean isSearchable(TrainingRequest request, PreparedData loaded) {
    boolean validated = loaded.split(request.split(), request.seed()).validation().count() > 0;
    if (!validated && !effort.equals(Race.AUTO)) {
      throw PecfException.badOption(
          "Settings are chosen on the validation part, which split %s leaves empty. Use a split"
              + " such as positives:3:1:1, or give the settings.",
          request.split());
    }
    return validated;
  }

  private SettingsChosen choose(
      Effort work,
      RequestOptions settings,
      TrainingRequest given,
      PreparedData loaded,
      RunScope members) {
    Workspace workspace = loaded.workspace();
    TrainingRequest measured =
        given.withProtocol(given.split(), sampled(given.evaluation(), loaded));
    return new Race(
            settings,
            measured,
            work,
            budget,
            workspace.catalog(),
            workspace.listener(),
            new RaceTrials(loaded, measured, members))
        .run(
            loaded.dataset().shape(), loaded.split(given.split(), given.seed()).training().count());
  }

  /** Return an evaluation that measures no more users than comparisons need. */
  private static EvaluationRequest sampled(EvaluationRequest asked, PreparedData loaded) {
    return loaded.dataset().shape().users() > MOST_USERS && asked.sampleUsers().most() > MOST_USERS
        ? new EvaluationRequest(
            asked.cutoffs(),
            asked.candidates(),
            new UserSample(MOST_USERS, UserSample.ALL.seed()),
            asked.metrics())
        : asked;
  }

  /** Load, split, train and evaluate; the caller closes the result. */
  public TrainingResult run() {
    TrainingRun run = begin();
    try {
      return run.run().closing(run::close);
    } catch (RuntimeException | Error e) {
      AutoCloseables.close(e, run);
      throw e;
    }
  }
}
