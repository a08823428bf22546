package org.pecf.study;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.data.Part;
import org.pecf.api.run.Seed;
import org.pecf.engine.evaluate.EvaluationReport;
import org.pecf.engine.evaluate.MetricKey;
import org.pecf.engine.evaluate.Metrics;
import org.pecf.engine.file.FileLocking;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.request.RequestOptions;
import org.pecf.engine.request.TrainingRequest;
import org.pecf.engine.resource.WorkClock;
import org.pecf.engine.run.PreparedData;
import org.pecf.engine.run.RunScope;
import org.pecf.engine.run.TrainingResult;
import org.pecf.engine.run.TrainingRun;
import org.pecf.study.StudyEvent.StudyStarted;
import org.pecf.study.StudyEvent.TrialFinished;

/**
 * A search for the setting with the best validation metric. The test part is never looked at.
 *
 * <p>All settings are drawn and turned into requests before any work is done, so a mistake shows at
 * once. Finished trainings are kept in the folder; the same search goes on from them.
 */
public final class Tuner {
  /**
   * The outcome of a search.
   *
   * @param trials all trainings, level by level, in the order they were done
   * @param best the best of those with all the work
   */
  public record TuneResult(List<Trial> trials, Trial best) {
    public TuneResult {
      trials = List.copyOf(trials);
    }
  }

  /** The name of the file that says what the search of a folder is about. */
  private static final String ABOUT = "tune.json";

  /** The name of the file with the finished trials. */
  private static final String TRIALS = TrialLog.NAME;

  private final TuneSettings settings;
  private final PluginCatalog catalog;
  private final TrainingRequest base;
  private final Budget budget;
  private final List<Map<String, String>> drawn = new ArrayList<>();
  private final List<TrainingRequest> requests = new ArrayList<>();
  private final List<TuneSettings.Level> levels;

  /**
   * Draw the settings.
   *
   * @param settings how to search
   * @param options the options that all trainings share
   */
  public Tuner(TuneSettings settings, RequestOptions options, PluginCatalog catalog) {
    this.settings = settings;
    this.catalog = catalog;
    this.base = options.trial(catalog);
    this.budget = settings.budget(base);
    Seed seed = new Seed(settings.seed());
    for (int trial = 1; trial <= settings.trials(); trial++) {
      Map<String, String> setting = settings.space().draw(seed, trial);
      drawn.add(setting);
      requests.add(options.with(setting).trial(catalog));
    }
    requests.forEach(this::requireSameData);
    requireEffect();
    if (!Metrics.of(base.evaluation(), catalog).keys().contains(base.ensemble().selection())) {
      throw PecfException.badOption(
          "The metric %s, by which settings are chosen, is not measured. Add its cutoff.",
          base.ensemble().selection());
    }
    this.levels = settings.levels(fullBudget());
  }

  /**
   * Refuse a search among equal trainings, which arise if another option fixes the one that is
   * searched.
   */
  private void requireEffect() {
    Map<TrainingRequest, Map<String, String>> settingOf = new HashMap<>();
    for (int k = 0; k < drawn.size(); k++) {
      Map<String, String> setting = drawn.get(k);
      Map<String, String> earlier = settingOf.putIfAbsent(requests.get(k), setting);
      if (earlier != null && !earlier.equals(setting)) {
        throw PecfException.badOption(
            "The settings %s and %s are the same training. Do not give options that are searched a"
                + " fixed value.",
            earlier, setting);
      }
    }
  }

  private void requireSameData(TrainingRequest request) {
    if (!(request.data().equals(base.data())
        && request.split().equals(base.split())
        && request.evaluation().equals(base.evaluation())
        && request.compute().equals(base.compute())
        && request.ensemble().selection().equals(base.ensemble().selection())
        && request.seed() == base.seed())) {
      throw PecfException.badOption(
          "All trials share data, split, seed, metrics and what computes them. Search other"
              + " options.");
    }
  }

  /** Return the work of a full training; 0 if the search does not save work. */
  private int fullBudget() {
    if (settings.strategy() == TuneSettings.Strategy.RANDOM) {
      return 0;
    }
    List<Integer> budgets = requests.stream().map(budget::full).distinct().toList();
    if (budgets.size() > 1) {
      throw PecfException.badOption(
          "Halving saves on %s, which cannot be searched as well. Use the other budget, or the"
              + " random strategy.",
          budget.unit());
    }
    return budgets.get(0);
  }

  /** Return the request that all trials share: data, split and resources. */
  public TrainingRequest base() {
    return base;
  }

  /** Return how many trainings there are. */
  public int trainings() {
    return levels.stream().mapToInt(TuneSettings.Level::trials).sum();
  }

  /**
   * Search, or go on searching.
   *
   * @param data the ratings of the base request
   * @param folder where finished trials are kept
   * @throws PecfException with {@link ErrorCode#CANCELLED} if asked to stop: the folder keeps what
   *     is finished
   */
  public TuneResult search(PreparedData data, Path folder) {
    if (data.split(base.split(), base.seed()).validation().count() == 0) {
      throw PecfException.badOption(
          "Split %s leaves no validation part to choose by. Use another split.", base.split());
    }
    FileLocking lock = StudyFiles.lock(folder);
    try {
      return searchAlone(data, folder);
    } finally {
      lock.close();
    }
  }

  private TuneResult searchAlone(PreparedData data, Path folder) {
    claim(folder, data.dataset().fingerprint());
    data.workspace().listener().on(new StudyStarted(trainings()));
    try (TrialLog log = TrialLog.open(folder)) {
      List<Integer> numbers = new ArrayList<>();
      for (int number = 1; number <= settings.trials(); number++) {
        numbers.add(number);
      }
      List<Trial> all = new ArrayList<>();
      List<Trial> ranked = List.of();
      for (TuneSettings.Level level : levels) {
        ranked = new ArrayList<>();
        for (int number : numbers.subList(0, level.trials())) {
          boolean found = log.find(number, level.budget(), limit()).isPresent();
          Trial trial = trial(number, level.budget(), data, log);
          all.add(trial);
          ranked.add(trial);
          data.workspace().listener().on(finished(trial, all.size(), found));
        }
        ranked.sort(order());
        requireSuccess(ranked.get(0));
        numbers = ranked.stream().map(Trial::number).toList();
      }
      return new TuneResult(all, ranked.get(0));
    }
  }

  /** Delete the trials that an earlier search left in a folder, and other files of it. */
  public static void forget(Path folder, String... others) {
    FileLocking lock = StudyFiles.lock(folder);
    try {
      Files.deleteIfExists(folder.resolve(ABOUT));
      Files.deleteIfExists(folder.resolve(TRIALS));
      for (String other : others) {
        Files.deleteIfExists(folder.resolve(other));
      }
    } catch (IOException e) {
      throw StudyFiles.cannotWrite(folder, e);
    } finally {
      lock.close();
    }
  }

  /** Refuse a folder with another search. */
  private void claim(Path folder, String fingerprint) {
    SearchIdentity about = SearchIdentity.of(settings, base, fingerprint);
    Path file = folder.resolve(ABOUT);
    StudyFiles.read(file, SearchIdentity.class)
        .filter(earlier -> !about.continues(earlier, base, catalog))
        .ifPresent(
            earlier -> {
              throw PecfException.badOption(
                  "%s holds another search: %s. Name another folder, or overwrite this one.",
                  folder, about.differenceFrom(earlier));
            });
    if (!Files.exists(file)) {
      StudyFiles.writeJson(file, about);
    }
  }

  /** Train a setting with some work, unless this search or a smaller one has done so. */
  private Trial trial(int number, int amount, PreparedData data, TrialLog log) {
    Optional<Trial> finished = log.find(number, amount, limit());
    if (finished.isPresent()) {
      return finished.get();
    }
    TrainingRequest request = requests.get(number - 1);
    if (settings.strategy() == TuneSettings.Strategy.HALVING) {
      request = budget.apply(request, amount);
    }
    Trial trial = train(number, amount, request, data);
    log.add(trial);
    return trial;
  }

  private Trial train(int number, int amount, TrainingRequest request, PreparedData data) {
    data.workspace().cancellation().check();
    WorkClock clock = new WorkClock();
    double most = limit().orElse(Double.POSITIVE_INFINITY);
    Map<String, String> setting = drawn.get(number - 1);
    try (TrainingResult result =
        data.workspace()
            .within(
                () -> clock.processorSeconds() > most,
                () ->
                    new TrainingRun(request, data, RunScope.measuring(EnumSet.of(Part.VALIDATION)))
                        .run())) {
      if (!result.complete()) {
        throw PecfException.cancelled();
      }
      EvaluationReport report = Objects.requireNonNull(result.reports().get(Part.VALIDATION));
      OptionalDouble score = OptionalDouble.of(report.value(base.ensemble().selection()));
      return new Trial(
          number,
          amount,
          setting,
          score,
          report.named(),
          Optional.empty(),
          Optional.empty(),
          clock.seconds());
    } catch (PecfException e) {
      boolean givenUp =
          e.code() == ErrorCode.CANCELLED && !data.workspace().cancellation().requested();
      // A setting that diverges or does not fit in memory is a bad one, not the end of the search.
      if (!givenUp && e.code() != ErrorCode.BAD_OPTION && e.code() != ErrorCode.RESOURCES) {
        throw e;
      }
      return new Trial(
          number,
          amount,
          setting,
          OptionalDouble.empty(),
          Map.of(),
          Optional.of(givenUp ? givenUp(clock, most) : e.getMessage()),
          Optional.of(most).filter(seconds -> givenUp),
          clock.seconds());
    }
  }

  private static String givenUp(WorkClock clock, double most) {
    return String.format(
        Locale.ROOT,
        "given up after %.1f processor seconds, for no training may take more than %s",
        clock.processorSeconds(),
        most);
  }

  /** Return the processor seconds that a training may take, if there is a limit. */
  private OptionalDouble limit() {
    return settings.trialSeconds().stream().mapToDouble(Double::doubleValue).findFirst();
  }

  private TrialFinished finished(Trial trial, int done, boolean found) {
    return new TrialFinished(
        trial, done, trainings(), found, base.ensemble().selection().toString(), budget.unit());
  }

  /** Order trials from the best to the failed; equally good ones by number. */
  private Comparator<Trial> order() {
    MetricKey metric = base.ensemble().selection();
    Comparator<Trial> byScore =
        (one, other) -> {
          double mine = one.score().orElse(Double.NaN);
          double theirs = other.score().orElse(Double.NaN);
          return metric.better(mine, theirs) ? -1 : metric.better(theirs, mine) ? 1 : 0;
        };
    return Comparator.comparing(Trial::succeeded)
        .reversed()
        .thenComparing(byScore)
        .thenComparing(Trial::number);
  }

  private static void requireSuccess(Trial best) {
    best.failure()
        .ifPresent(
            why -> {
              throw PecfException.badOption(
                  "No setting could be trained. Setting %d: %s", best.number(), why);
            });
  }
}
