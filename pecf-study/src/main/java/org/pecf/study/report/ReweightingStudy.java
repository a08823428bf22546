package org.pecf.study.report;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.data.Part;
import org.pecf.api.field.CellField;
import org.pecf.api.run.RunListener;
import org.pecf.data.DatasetSummary;
import org.pecf.data.split.Confidence;
import org.pecf.data.split.Split;
import org.pecf.engine.construct.EnsembleRequest;
import org.pecf.engine.ensemble.Member;
import org.pecf.engine.evaluate.EvaluationReport;
import org.pecf.engine.evaluate.Evaluator;
import org.pecf.engine.evaluate.Metric;
import org.pecf.engine.evaluate.MetricKey;
import org.pecf.engine.json.JsonText;
import org.pecf.engine.request.RequestOptions;
import org.pecf.engine.request.TrainingRequest;
import org.pecf.engine.run.Comparison;
import org.pecf.engine.run.PreparedData;
import org.pecf.engine.run.TrainingResult;
import org.pecf.engine.run.TrainingRun;
import org.pecf.page.Block;
import org.pecf.page.Page;
import org.pecf.page.Table;
import org.pecf.platform.file.OutputFile;
import org.pecf.platform.plugin.PluginCatalog;
import org.pecf.platform.plugin.ProviderChoice;
import org.pecf.study.JobFinished;
import org.pecf.study.StudyBase;
import org.pecf.study.StudyJobs;
import org.pecf.study.StudyStarted;
import org.pecf.study.report.ReweightingJob.Outcome;

/**
 * A study of re-weighting on one data set: the weights that cells get, how alike members become,
 * for whom the ensemble gains, and what other strengths and rules of weighting give.
 */
public final class ReweightingStudy {
  private static final String BAGGING = "bagging: nu = 0";
  private static final String PECF = "positives and zeros by error";

  private final TrainingRequest request;
  private final int seeds;
  private final PreparedData data;
  private final Path folder;
  private final StudyJobs<ReweightingJob> jobs;
  private final MetricKey recall;
  private final Map<String, EnsembleRequest> strengths = new LinkedHashMap<>();
  private final Map<String, EnsembleRequest> rules = new LinkedHashMap<>();
  private final Map<String, Outcome> outcomes = new LinkedHashMap<>();
  private final Map<String, EvaluationReport> compared = new LinkedHashMap<>();
  private final List<Table> tables = new ArrayList<>();

  /**
   * Plan the study.
   *
   * @param base the common settings; those of PECF are used
   * @param seeds how many seeds, from the base's on
   * @param quick whether few strengths and rules are tried
   * @param data the ratings, with the resources to train on them
   * @param folder where the report goes
   */
  public ReweightingStudy(
      StudyBase base, int seeds, boolean quick, PreparedData data, Path folder) {
    this.request = base.pecf().complete(data.workspace().catalog());
    this.seeds = seeds;
    this.data = data;
    this.folder = folder;
    this.jobs = new StudyJobs<>(folder, ReweightingJob.class, data);
    this.recall = new MetricKey(Metric.RECALL, request.evaluation().cutoffs().get(0));
    EnsembleRequest pecf = request.ensemble();
    if (pecf.rounds() == 0) {
      throw PecfException.badOption(
          "A study of re-weighting needs a round at least. Leave rounds out.");
    }
    for (String kind : List.of("positives", "zeros")) {
      if (!"error".equalsIgnoreCase(pecf.weighting().options().get(kind))) {
        throw PecfException.badOption(
            "A study of re-weighting tries the rules of positives and zeros itself. Leave"
                + " posterior.%s out.",
            kind);
      }
    }
    strengths.put(BAGGING, with(pecf, "nu", "0"));
    for (String sigma : quick ? List.of("0.5") : List.of("0.25", "0.5", "1", "2")) {
      for (String nu : quick ? List.of("10") : List.of("1", "10", "100", "1000")) {
        strengths.put("nu " + nu + ", sigma " + sigma, with(with(pecf, "nu", nu), "sigma", sigma));
      }
    }
    rules.put(PECF, pecf);
    rules.put("positives by error, zeros plain", with(pecf, "zeros", "plain"));
    rules.put("positives plain, zeros by error", with(pecf, "positives", "plain"));
    rules.put("positives by error, zeros by doubt", with(pecf, "zeros", "doubt"));
    rules.put(
        "positives plain, zeros by doubt",
        with(with(pecf, "positives", "plain"), "zeros", "doubt"));
    rules.put("zeros by popularity^0.5 in all members, bagging", popular(with(pecf, "nu", "0")));
    rules.put("zeros by popularity^0.5 in all members, PECF", popular(pecf));
  }

  private static EnsembleRequest with(EnsembleRequest ensemble, String key, String value) {
    return ensemble.withWeighting(ensemble.weighting().with(key, value));
  }

  private static EnsembleRequest popular(EnsembleRequest ensemble) {
    Confidence plain = ensemble.confidence();
    return ensemble.with(Map.of("confidence", plain.positive() + ":" + plain.zero() + ":0.5"));
  }

  /**
   * Return the base that options describe.
   *
   * @throws PecfException if an option is unknown, wrong or without effect
   */
  public static StudyBase base(RequestOptions options, boolean quick, PluginCatalog catalog) {
    options.refuse(
        List.of("select"),
        "in the study of re-weighting, which measures recall at the first cutoff. Leave it out.");
    Map<String, String> defaults =
        quick ? Map.of("rounds", "2", "rank", "8", "iterations", "3") : Map.of("rounds", "4");
    return StudyBase.of(options.withDefaults(defaults), catalog, Map.of());
  }

  /** Return where the report is in a folder. */
  public static Path report(Path folder) {
    return folder.resolve("reweighting.md");
  }

  /**
   * Do the trainings that are not done yet, and write the report: reweighting.md, reweighting.json
   * and a page.
   *
   * @return the report as Markdown
   * @throws PecfException with {@link org.pecf.api.ErrorCode#CANCELLED} if asked to stop: the
   *     folder keeps what is finished
   */
  public String run() {
    checkParts();
    return jobs.alone(this::runAlone);
  }

  private String runAlone() {
    // PECF and bagging come first: the report of the first seed compares them user by user.
    Map<String, EnsembleRequest> all = new LinkedHashMap<>();
    all.put(PECF, Objects.requireNonNull(rules.get(PECF)));
    all.put(BAGGING, Objects.requireNonNull(strengths.get(BAGGING)));
    all.putAll(rules);
    all.putAll(strengths);
    RunListener listener = data.workspace().listener();
    listener.on(new StudyStarted(all.size() * seeds));
    int done = 0;
    for (int seed = 0; seed < seeds; seed++) {
      // Without both, neither is kept of the first seed.
      boolean again = seed == 0 && kept(BAGGING, all.get(BAGGING), 0).isEmpty();
      int number = 0;
      for (Map.Entry<String, EnsembleRequest> one : all.entrySet()) {
        Optional<ReweightingJob> found =
            again && number < 2 ? Optional.empty() : kept(one.getKey(), one.getValue(), seed);
        ReweightingJob job =
            found.isPresent() ? found.get() : train(one.getKey(), one.getValue(), seed);
        number++;
        tables.addAll(job.tables());
        outcomes.merge(one.getKey(), job.outcome(), Outcome::plus);
        listener.on(
            new JobFinished(
                one.getKey() + ", seed " + (request.seed() + seed),
                recall + " " + figure(job.outcome().validation()) + " on validation",
                ++done,
                all.size() * seeds,
                found.isPresent()));
      }
    }
    tables.add(outcomes("From bagging to extremes", "nu and sigma", strengths));
    tables.add(outcomes("Rules of weighting", "rule", rules));
    return write();
  }

  private TrainingRequest request(EnsembleRequest ensemble, int seed) {
    return request.withEnsemble(ensemble).withSeed(request.seed() + seed);
  }

  /** Return the name of the file of a training. */
  private String key(String name, int seed) {
    return name.replaceAll("[^a-z0-9.]+", "-") + "-seed-" + (request.seed() + seed);
  }

  private Optional<ReweightingJob> kept(String name, EnsembleRequest ensemble, int seed) {
    return jobs.find(key(name, seed), request(ensemble, seed));
  }

  private ReweightingJob train(String name, EnsembleRequest ensemble, int seed) {
    data.workspace().cancellation().check();
    TrainingRequest asked = request(ensemble, seed);
    try (TrainingResult result =
            TrainingRun.execute(asked, data, EnumSet.of(Part.VALIDATION, Part.TEST));
        ComputeSession session = data.workspace().open(data.dataset().shape())) {
      if (!result.complete()) {
        throw PecfException.cancelled();
      }
      List<EvaluationReport> alone = new ArrayList<>();
      for (Member member : result.ensemble().members()) {
        alone.add(measure(result, CellField.score(member.model()), session));
      }
      List<Table> shown = seed == 0 ? look(name, result, alone.get(0)) : List.of();
      MemberErrors errors = new MemberErrors(result.ensemble(), result.split().training());
      ReweightingJob job =
          new ReweightingJob(
              StudyJobs.text(asked),
              jobs.fingerprint(),
              new Outcome(
                  alone.stream()
                      .mapToDouble(report -> report.value(recall))
                      .average()
                      .orElseThrow(),
                  errors.meanCorrelation(),
                  errors.meanOverlap(),
                  report(result, Part.VALIDATION).value(recall),
                  report(result, Part.TEST).value(recall)),
              shown);
      jobs.keep(key(name, seed), job);
      return job;
    }
  }

  private EvaluationReport measure(
      TrainingResult result, CellField prediction, ComputeSession session) {
    return Evaluator.evaluate(
        prediction,
        result.split().part(Part.TEST),
        request.evaluation(),
        result.request().ensemble().confidence(),
        session,
        data.workspace().cancellation());
  }

  private static EvaluationReport report(TrainingResult result, Part part) {
    return Objects.requireNonNull(result.reports().get(part));
  }

  private void checkParts() {
    Split split = data.split(request.split(), request.seed());
    if (split.validation().count() == 0 || split.test().count() == 0) {
      throw PecfException.badOption(
          "A study of re-weighting needs validation and test positives, and the split %s leaves"
              + " none. Choose another one.",
          request.split());
    }
  }

  /** Return the tables of the report that show a single ensemble of the first seed. */
  private List<Table> look(String name, TrainingResult result, EvaluationReport first) {
    if (name.equals(PECF)) {
      compared.put("one filter", first);
      compared.put("PECF", report(result, Part.TEST));
      CellWeights weights = new CellWeights(result.ensemble(), result.split());
      return List.of(weights.rounds(), weights.bands());
    }
    if (name.equals(BAGGING)) {
      EvaluationReport pecf = Objects.requireNonNull(compared.remove("PECF"));
      compared.put("bagging", report(result, Part.TEST));
      compared.put("PECF", pecf);
      Comparison beside = new Comparison(Part.TEST, compared);
      return TrainingReport.groups(beside, result.split(), recall).stream()
          .map(chart -> chart.table())
          .toList();
    }
    return List.of();
  }

  private Table outcomes(String title, String what, Map<String, EnsembleRequest> kinds) {
    List<List<Table.Cell>> rows = new ArrayList<>();
    double best =
        kinds.keySet().stream()
            .mapToDouble(kind -> Objects.requireNonNull(outcomes.get(kind)).validation())
            .max()
            .orElseThrow();
    for (String kind : kinds.keySet()) {
      Outcome sum = Objects.requireNonNull(outcomes.get(kind));
      rows.add(
          List.of(
              new Table.Cell(kind),
              cell(sum.alone()),
              cell(sum.correlation()),
              cell(sum.overlap()),
              new Table.Cell(figure(sum.validation() / seeds), sum.validation() == best),
              cell(sum.test())));
    }
    return new Table(
        title,
        List.of(
            what,
            "members alone, test",
            "correlation of errors",
            "overlap of lists",
            "ensemble, validation",
            "ensemble, test"),
        rows);
  }

  private Table.Cell cell(double sum) {
    return new Table.Cell(figure(sum / seeds));
  }

  static String figure(double value) {
    return String.format(Locale.ROOT, "%.4f", value);
  }

  private String summary() {
    DatasetSummary summary = data.dataset().summary();
    ProviderChoice weighting = request.ensemble().weighting();
    return String.format(
        Locale.ROOT,
        "%,d users, %,d items, %,d positives; split %s; %d members of %s, confidence %s; PECF with"
            + " nu %s, sigma %s, scaling %s. Recall is %s; %d %s from %d on. Weights and the"
            + " recall of groups are those of seed %d.",
        summary.users(),
        summary.items(),
        summary.positives(),
        request.split(),
        request.ensemble().rounds() + 1,
        request.ensemble().filters().get(0),
        request.ensemble().confidence(),
        weighting.options().get("nu"),
        weighting.options().get("sigma"),
        weighting.options().get("scaling"),
        recall,
        seeds,
        seeds == 1 ? "seed" : "seeds",
        request.seed(),
        request.seed());
  }

  private String write() {
    String title = "Re-weighting on " + TrainingReport.source(request);
    StringBuilder text = new StringBuilder("# " + title + "\n\n" + summary() + "\n");
    List<Map<String, Object>> json = new ArrayList<>();
    List<Page.Section> sections = new ArrayList<>();
    for (Table table : tables) {
      text.append("\n## ").append(table.caption()).append("\n\n");
      line(text, table.heads());
      line(text, table.heads().stream().map(head -> "---").toList());
      table.rows().forEach(row -> line(text, row.stream().map(ReweightingStudy::text).toList()));
      json.add(
          Map.of(
              "title",
              table.caption(),
              "heads",
              table.heads(),
              "rows",
              table.rows().stream()
                  .map(row -> row.stream().map(Table.Cell::text).toList())
                  .toList()));
      sections.add(new Page.Section(table.caption(), List.<Block>of(table)));
    }
    OutputFile.at(folder.resolve("reweighting.json")).write(JsonText.of(json));
    ReportFiles.write(
        folder.resolve(TrainingReport.NAME), new Page(title, summary(), sections, "PECF"));
    OutputFile.at(report(folder)).write(text.toString());
    return text.toString();
  }

  private static String text(Table.Cell cell) {
    return cell.marked() ? "**" + cell.text() + "**" : cell.text();
  }

  private static void line(StringBuilder text, List<String> cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }
}
