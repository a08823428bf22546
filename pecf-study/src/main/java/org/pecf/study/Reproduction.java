package org.pecf.study;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.data.Part;
import org.pecf.api.run.RunListener;
import org.pecf.engine.construct.Construction;
import org.pecf.engine.evaluate.EvaluationReport;
import org.pecf.engine.evaluate.Evaluator;
import org.pecf.engine.evaluate.MetricKey;
import org.pecf.engine.evaluate.Metrics;
import org.pecf.engine.request.TrainingRequest;
import org.pecf.engine.resource.WorkClock;
import org.pecf.engine.run.PreparedData;
import org.pecf.engine.run.RunScope;
import org.pecf.engine.run.TrainingResult;
import org.pecf.engine.run.TrainingRun;
import org.pecf.study.StudyEvent.JobFinished;
import org.pecf.study.StudyEvent.StudyStarted;
import org.pecf.study.StudyState.Stage;

/**
 * The paper's study repeated on some data. Every training is a job with a stable name, whose
 * metrics are kept in the folder as soon as it is done; the same study goes on from them.
 */
public final class Reproduction {
  private final StudyBase base;
  private final StudySettings settings;
  private final PreparedData data;
  private final Path folder;
  private final StudyPlan plan;
  private final StudyJobs jobs;

  /**
   * Plan the study.
   *
   * @param base the options that the methods have in common
   * @param settings how much of the study is done
   * @param data the ratings, borrowed
   * @param folder where metrics are kept
   */
  public Reproduction(StudyBase base, StudySettings settings, PreparedData data, Path folder) {
    this.base = base;
    this.settings = settings;
    this.data = data;
    this.folder = folder;
    this.plan = StudyPlan.of(base, settings, data.workspace().catalog());
    this.jobs = new StudyJobs(folder, data);
  }

  /**
   * Do the trainings that are not done yet, and write the report: results.md, results.json,
   * figures, timings, and a page, which is written after every training.
   *
   * @return the report as text
   * @throws PecfException with {@link ErrorCode#CANCELLED} if asked to stop: the folder keeps what
   *     is finished
   */
  public StudyText run() {
    return jobs.alone(this::runAlone);
  }

  private StudyText runAlone() {
    Map<String, JobResult> kept = kept();
    Map<String, Map<Long, JobResult>> results = new LinkedHashMap<>();
    List<String> notes = new ArrayList<>(plan.notes());
    int all = plan.cells().size() * settings.seedCount();
    int done = 0;
    listener().on(new StudyStarted(all));
    writePage(results, notes, done, all, Stage.RUNNING);
    // The data is divided once for each seed.
    for (int number = 0; number < settings.seedCount(); number++) {
      long seed = base.pecf().seed() + number;
      for (Map.Entry<String, TrainingRequest> cell : plan.cells().entrySet()) {
        String key = key(cell.getKey(), seed);
        Optional<JobResult> found = Optional.ofNullable(kept.get(key));
        String outcome;
        try {
          JobResult result =
              found.isPresent() ? found.get() : done(key, cell.getValue().withSeed(seed));
          results.computeIfAbsent(cell.getKey(), none -> new LinkedHashMap<>()).put(seed, result);
          outcome = outcome(result);
        } catch (PecfException e) {
          // A method that cannot be trained here is noted in the report; the others still count.
          if (e.code() != ErrorCode.BAD_OPTION && e.code() != ErrorCode.RESOURCES) {
            writePage(results, notes, done, all, Stage.STOPPED);
            throw e;
          }
          outcome = "failed: " + e.getMessage();
          notes.add(key + " could not be trained: " + e.getMessage());
        }
        done++;
        listener().on(new JobFinished(key, outcome, done, all, found.isPresent()));
        if (found.isEmpty() && done < all) {
          writePage(results, notes, done, all, Stage.RUNNING);
        }
      }
    }
    return new StudyReport(base, settings, plan, data.dataset(), results, notes).write(folder);
  }

  private void writePage(
      Map<String, Map<Long, JobResult>> results,
      List<String> notes,
      int done,
      int all,
      Stage stage) {
    double seconds =
        results.values().stream()
            .flatMap(bySeed -> bySeed.values().stream())
            .mapToDouble(JobResult::seconds)
            .sum();
    new StudyReport(base, settings, plan, data.dataset(), results, notes)
        .writePage(folder, new StudyState(done, all, stage, seconds));
  }

  private static String key(String cell, long seed) {
    return cell + "-seed-" + seed;
  }

  /** Return the results of the jobs that are done, after a check that all are of this study. */
  private Map<String, JobResult> kept() {
    Map<String, JobResult> kept = new LinkedHashMap<>();
    for (int number = 0; number < settings.seedCount(); number++) {
      long seed = base.pecf().seed() + number;
      plan.cells()
          .forEach(
              (cell, request) ->
                  find(key(cell, seed), request.withSeed(seed))
                      .ifPresent(result -> kept.put(key(cell, seed), result)));
    }
    return kept;
  }

  private RunListener listener() {
    return data.workspace().listener();
  }

  private String outcome(JobResult result) {
    String key = base.measure().toString();
    return String.format(
        Locale.ROOT, "test %s %.4f after %.1f s", key, result.test().get(key), result.seconds());
  }

  /** Find the metrics of a finished job; those of another request under its name are refused. */
  private Optional<JobResult> find(String key, TrainingRequest request) {
    Optional<JobResult> found = jobs.find(key, request);
    MetricKey usual = request.evaluation().usual();
    found.ifPresent(
        stored ->
            jobs.require(
                key,
                "measure",
                stored.measure().orElse(usual.toString()),
                base.measure().toString()));
    return found;
  }

  private JobResult done(String key, TrainingRequest request) {
    data.workspace().cancellation().check();
    WorkClock clock = new WorkClock();
    try (TrainingResult result =
        new TrainingRun(request, data, RunScope.measuring(EnumSet.of(Part.VALIDATION, Part.TEST)))
            .run()) {
      if (!result.complete()) {
        throw PecfException.cancelled();
      }
      double seconds = clock.seconds();
      double processorSeconds = clock.processorSeconds();
      EvaluationReport test = Objects.requireNonNull(result.reports().get(Part.TEST));
      List<Map<String, Double>> prefixes = prefixes(result);
      prefixes.add(test.named());
      EvaluationReport validation = result.reports().get(Part.VALIDATION);
      JobResult job =
          new JobResult(
              key,
              RequestIdentity.text(request),
              jobs.fingerprint(),
              prefixes,
              validation == null ? Map.of() : validation.named(),
              Optional.of(base.measure().toString()),
              test.perUser(base.measure()),
              seconds,
              Optional.of(processorSeconds));
      jobs.keep(key, job);
      return job;
    }
  }

  /**
   * Measure the ensemble as it was with its first member, its first two, and so on, but for all.
   */
  private List<Map<String, Double>> prefixes(TrainingResult result) {
    List<Map<String, Double>> prefixes = new ArrayList<>();
    TrainingRequest request = result.request();
    // The members of a mixture did not join one after another.
    if (request.ensemble().construction() != Construction.EM && result.ensemble().size() > 1) {
      try (ComputeSession session = data.workspace().open(data.dataset().shape())) {
        for (int count = 1; count < result.ensemble().size(); count++) {
          session.keep(result.ensemble().prediction(count));
          prefixes.add(
              Evaluator.evaluate(
                      result.ensemble().prediction(count),
                      result.split().part(Part.TEST),
                      Metrics.of(request.evaluation(), data.workspace().catalog()),
                      request.ensemble().confidence(),
                      session,
                      data.workspace().cancellation())
                  .named());
        }
      }
    }
    return prefixes;
  }
}
