package org.pecf.study;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import org.pecf.engine.construct.EnsembleRequest;
import org.pecf.engine.data.Dataset;
import org.pecf.engine.data.split.SplitRule;
import org.pecf.engine.evaluate.CandidatePolicy;
import org.pecf.engine.evaluate.MetricKey;
import org.pecf.engine.evaluate.Metrics;
import org.pecf.engine.request.TrainingRequest;
import org.pecf.study.StudySettings.Output;
import org.pecf.study.page.Chart;
import org.pecf.study.page.Chart.Bars;
import org.pecf.study.page.Chart.Lines;
import org.pecf.study.page.Chart.Points;
import org.pecf.study.page.Page;
import org.pecf.study.page.Page.Block;
import org.pecf.study.page.Page.Block.Words;
import org.pecf.study.page.Table;

/** The report of a study, for people and for programs. */
final class StudyReport {
  /** The name of the page in an output folder. */
  static final String PAGE = "report.html";

  private final StudyBase base;
  private final StudySettings settings;
  private final StudyPlan plan;
  private final Dataset dataset;
  private final StudyResults results;
  private final List<String> notes;
  private final Optional<PaperData> paper;
  private final List<Integer> cutoffs;
  private final String measure;
  private final List<Page.Section> sections = new ArrayList<>();

  /** The report as results.json holds it. */
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  private record Json(
      Optional<Map<String, String>> tuned,
      DataJson data,
      Optional<PaperJson> paper,
      ProtocolJson protocol,
      String base,
      int seeds,
      boolean quick,
      Map<String, List<Row>> tables,
      Optional<List<Difference>> significance,
      Map<String, Map<String, List<double[]>>> figures,
      List<String> notes,
      Map<String, StudyResults.Times> times) {}

  private record DataJson(int users, int items, int positives, String fingerprint) {}

  private record PaperJson(String data, String source) {}

  private record ProtocolJson(SplitRule split, CandidatePolicy candidates) {}

  /**
   * A row of a table.
   *
   * @param test test metrics by name
   * @param paper the paper's own metrics, if its table has any
   */
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  private record Row(
      String name,
      String label,
      Map<String, StudyResults.Estimate> test,
      Optional<Map<String, Double>> paper) {}

  StudyReport(
      StudyBase base,
      StudySettings settings,
      StudyPlan plan,
      Dataset dataset,
      Map<String, Map<Long, JobResult>> jobs,
      List<String> notes) {
    this.base = base;
    this.settings = settings;
    this.plan = plan;
    this.dataset = dataset;
    this.results = new StudyResults(jobs);
    this.notes = List.copyOf(notes);
    this.paper = PaperData.of(dataset.shape());
    this.cutoffs = base.pecf().evaluation().cutoffs();
    this.measure = base.measure().toString();
  }

  /**
   * Write report.html, results.md and results.json. They differ from run to run in times alone.
   *
   * @return the content of results.md
   */
  StudyText write(Path folder) {
    Map<String, String> tuned = tuned();
    Map<String, List<Row>> tables = new LinkedHashMap<>();
    Map<Method, List<Difference>> significance = tables(tables);
    Map<String, Lines> charts = figures();
    StudyText text = text(tuned, charts);
    TrainingRequest pecf = base.pecf();
    StudyFiles.write(folder.resolve("results.md"), text.markdown());
    StudyFiles.writeJson(
        folder.resolve("results.json"),
        new Json(
            Optional.of(tuned).filter(own -> !own.isEmpty()),
            new DataJson(
                dataset.shape().users(),
                dataset.shape().items(),
                dataset.positives().count(),
                dataset.fingerprint()),
            paper.map(data -> new PaperJson(data.name(), data.source())),
            new ProtocolJson(pecf.split(), pecf.evaluation().candidates()),
            RequestIdentity.text(pecf),
            settings.seedCount(),
            settings.quick(),
            tables,
            Optional.of(significance.values().stream().flatMap(List::stream).toList())
                .filter(differences -> !differences.isEmpty()),
            points(charts),
            notes,
            results.times()));
    StudyFiles.write(folder.resolve(PAGE), page(charts, Optional.empty()).html());
    return text;
  }

  /** Write the page of a study that has not ended, from the trainings that are done. */
  void writePage(Path folder, StudyState state) {
    tables(new LinkedHashMap<>());
    StudyFiles.write(folder.resolve(PAGE), page(figures(), Optional.of(state)).html());
  }

  /** Add the tables to the text and to the sections of the page. */
  private Map<Method, List<Difference>> tables(Map<String, List<Row>> tables) {
    Map<Method, List<Difference>> significance = significance();
    overview(significance.getOrDefault(settings.against().get(0), List.of()));
    table(tables, Output.RECALL, "Recall", "method");
    significance.forEach(this::differences);
    table(tables, Output.D, "Influence of d", "setting");
    table(tables, Output.NU_SIGMA, "Influence of nu and sigma", "PECF with");
    return significance;
  }

  private Map<String, Lines> figures() {
    return new StudyFigures(name(), plan, results, measure).charts(settings.outputs(), base.pecf());
  }

  private Page page(Map<String, Lines> figures, Optional<StudyState> state) {
    List<Page.Section> all = new ArrayList<>();
    state.ifPresent(
        unfinished -> all.add(new Page.Section("Progress", List.of(unfinished.steps()))));
    all.addAll(sections);
    if (!figures.isEmpty()) {
      all.add(
          new Page.Section(
              "Figures", figures.values().stream().map(chart -> (Block) chart).toList()));
    }
    if (!notes.isEmpty()) {
      all.add(
          new Page.Section("Notes", notes.stream().map(note -> (Block) new Words(note)).toList()));
    }
    return new Page(
        "The paper's study",
        String.format(
            Locale.ROOT,
            "%s: %,d users, %,d items, %,d positives; %s; %d %s.",
            name(),
            dataset.shape().users(),
            dataset.shape().items(),
            dataset.positives().count(),
            base.pecf().evaluation().protocol(base.pecf().split()),
            settings.seedCount(),
            settings.seedCount() == 1 ? "seed" : "seeds"),
        all,
        "PECF",
        state.isPresent() && state.get().running());
  }

  /** Return a chart of methods. */
  private Bars bars(String first, List<Row> rows) {
    List<StudyResults.Estimate> recalls = rows.stream().map(this::measured).toList();
    double[] means = recalls.stream().mapToDouble(StudyResults.Estimate::mean).toArray();
    double[] halves =
        recalls.stream().mapToDouble(one -> one.halfWidth().orElse(Double.NaN)).toArray();
    boolean intervals = Arrays.stream(halves).noneMatch(Double::isNaN);
    double[] low = new double[means.length];
    double[] high = new double[means.length];
    Arrays.setAll(low, k -> means[k] - halves[k]);
    Arrays.setAll(high, k -> means[k] + halves[k]);
    return Bars.of(
        measured() + " on the test part",
        intervals ? "Whiskers are 95 % intervals over seeds." : "",
        first,
        measured(),
        rows.stream().map(Row::label).toList(),
        List.of(
            intervals
                ? new Bars.Group(measure, means, low, high)
                : new Bars.Group(measure, means)));
  }

  /** Return a chart of settings, the best one marked. */
  private Points slice(String first, List<Row> rows) {
    List<double[]> points = new ArrayList<>();
    for (int k = 0; k < rows.size(); k++) {
      points.add(new double[] {k, measured(rows.get(k)).mean()});
    }
    double best = best(rows, measure);
    return new Points(
        measured() + " on the test part",
        "The triangle is the best.",
        first,
        measured(),
        false,
        rows.stream().map(Row::label).toList(),
        List.of(
            new Chart.Series("settings", points),
            new Chart.Series("best", points.stream().filter(one -> one[1] == best).toList())));
  }

  private StudyResults.Estimate measured(Row row) {
    return Objects.requireNonNull(row.test().get(measure));
  }

  private String measured() {
    return title(measure);
  }

  /** Return the name of a metric as tables show it. */
  static String title(String metric) {
    return metric.replace("recall", "Recall").replace("ndcg", "NDCG").replace("wmse", "WMSE");
  }

  /** Return the name of the data set: that of its file or folder. */
  private String name() {
    String location = base.pecf().data().location();
    Path file = location.startsWith("builtin:") ? null : Path.of(location).getFileName();
    return file == null ? location : file.toString();
  }

  /** Return the settings of the methods that have their own. */
  private Map<String, String> tuned() {
    Map<String, String> tuned = new LinkedHashMap<>();
    base.tuned()
        .keySet()
        .forEach(
            method ->
                tuned.put(method.id(), RequestIdentity.ensemble(base.own(method).orElseThrow())));
    return tuned;
  }

  private StudyText text(Map<String, String> tuned, Map<String, Lines> charts) {
    StudyText text = new StudyText("The paper's study");
    head(text, tuned);
    sections.forEach(text::section);
    charts.forEach(
        (name, chart) -> {
          if (!name.equals("rho")) {
            text.figure(chart);
          }
        });
    if (!notes.isEmpty()) {
      text.heading("Notes");
      notes.forEach(note -> text.line("- " + note.replaceAll("\\s+", " ")));
    }
    return text;
  }

  private void head(StudyText text, Map<String, String> tuned) {
    TrainingRequest pecf = base.pecf();
    String name = paper.map(data -> " (" + data.name() + " of the paper)").orElse("");
    text.paragraph(
        String.format(
            Locale.ROOT,
            "Data: %s, %,d users, %,d items, %,d positives%s; fingerprint %s.",
            name(),
            dataset.shape().users(),
            dataset.shape().items(),
            dataset.positives().count(),
            name,
            dataset.fingerprint().substring(0, 12)));
    EnsembleRequest ensemble = pecf.ensemble();
    text.paragraph(
        String.format(
            "Protocol: %s. Base: confidence %s; filter %s %s; %d %s added to the first; weighting"
                + " %s; %d %s",
            pecf.evaluation().protocol(pecf.split()),
            ensemble.confidence(),
            ensemble.filters().get(0).id(),
            ensemble.filters().get(0).options(),
            ensemble.rounds(),
            ensemble.rounds() == 1 ? "member" : "members",
            ensemble.weighting().options(),
            settings.seedCount(),
            settings.seedCount() == 1
                ? "seed."
                : "seeds: mean ± half the 95 % confidence interval."));
    if (!tuned.isEmpty()) {
      text.paragraph("With settings of their own:");
      text.line("");
      tuned.forEach((method, own) -> text.line("- " + Method.of(method).label() + ": " + own));
    }
    pecf.evaluation().candidates().caveat(pecf.split()).ifPresent(text::paragraph);
    text.paragraph(
        "Recall is %s. WMSE is %s."
            .formatted(
                Metrics.definitionOf(MetricKey.RECALL), Metrics.definitionOf(MetricKey.WMSE)));
    paper.ifPresent(data -> text.paragraph("The paper's numbers: " + data.source()));
  }

  /** Return the entries of an output that have results. */
  private List<StudyPlan.Entry> trained(Output output) {
    return plan.entries(output).stream().filter(entry -> results.has(entry.cell())).toList();
  }

  /** Return the metrics of lists that tables show. */
  private List<String> listMetrics() {
    List<String> metrics = new ArrayList<>();
    cutoffs.forEach(cutoff -> metrics.add("recall@" + cutoff));
    metrics.add("ndcg@" + base.measure().cutoff());
    metrics.add("coverage@" + base.measure().cutoff());
    return metrics;
  }

  /**
   * Add a table with a row for each method: its metrics in short, its processor seconds, and how it
   * differs from the first method that others are tested against.
   */
  private void overview(List<Difference> differences) {
    List<StudyPlan.Entry> methods = trained(Output.RECALL);
    if (methods.isEmpty()) {
      return;
    }
    Method reference = settings.against().get(0);
    List<String> metrics = listMetrics();
    List<String> heads = new ArrayList<>(List.of("method"));
    metrics.forEach(metric -> heads.add(title(metric)));
    heads.add("CPU s");
    if (!differences.isEmpty()) {
      List<String> seeds =
          differences.stream().map(one -> Long.toString(one.seed())).distinct().toList();
      heads.add(
          "from %s, %s %s"
              .formatted(
                  reference.label(),
                  seeds.size() == 1 ? "seed" : "seeds",
                  String.join(" / ", seeds)));
      heads.add("p, corrected");
    }
    List<List<String>> rows = new ArrayList<>();
    for (StudyPlan.Entry method : methods) {
      List<String> row = new ArrayList<>(List.of(method.label()));
      metrics.forEach(metric -> row.add(results.estimate(method.cell(), metric).brief()));
      row.add(briefSeconds(results.processorSeconds(method.cell())));
      if (!differences.isEmpty()) {
        List<Difference> bySeed =
            differences.stream().filter(one -> one.name().equals(method.name())).toList();
        row.add(String.join(" / ", bySeed.stream().map(StudyReport::briefDifference).toList()));
        row.add(String.join(" / ", bySeed.stream().map(StudyReport::briefProbability).toList()));
      }
      rows.add(row);
    }
    add(
        "All methods",
        Table.of("On the test part, in short", heads, rows),
        new Words(overviewNote(differences)));
  }

  private String overviewNote(List<Difference> differences) {
    String seeds =
        settings.seedCount() == 1
            ? "one seed"
            : "mean of " + settings.seedCount() + " seeds ± half the 95 % confidence interval";
    long compared = differences.stream().map(Difference::name).distinct().count();
    String tests =
        differences.isEmpty()
            ? ""
            : String.format(
                " Differences are those of %s; p is of a paired t-test over the users of a seed,"
                    + " corrected after Holm for %d %s.",
                measured(), compared, compared == 1 ? "comparison" : "comparisons");
    return String.format(
        "Test part, %s; %s. CPU s: processor seconds of one training and its measuring, all threads"
            + " together, the median of the seeds.%s",
        base.pecf().evaluation().protocol(base.pecf().split()), seeds, tests);
  }

  /** Return a difference with its sign and four decimals, without the zero before them. */
  private static String briefDifference(Difference one) {
    return String.format(Locale.ROOT, "%+.4f", one.difference())
        .replace('-', '−')
        .replaceFirst("0\\.", ".");
  }

  private static String briefProbability(Difference one) {
    if (one.pHolm() < 1e-4) {
      return "<.0001";
    }
    String format = one.pHolm() < 5e-4 ? "%.4f" : "%.3f";
    return one.pHolm() >= 0.9995
        ? "1"
        : String.format(Locale.ROOT, format, one.pHolm()).substring(1);
  }

  private static String briefSeconds(OptionalDouble seconds) {
    return seconds.isEmpty()
        ? "–"
        : String.format(
            Locale.ROOT, seconds.getAsDouble() < 10 ? "%.1f" : "%.0f", seconds.getAsDouble());
  }

  private void table(Map<String, List<Row>> tables, Output output, String title, String first) {
    List<StudyPlan.Entry> rows = trained(output);
    if (rows.isEmpty()) {
      return;
    }
    List<String> metrics = listMetrics();
    metrics.add("wmse");
    if (!metrics.contains(measure)) {
      metrics.add(measure);
    }
    boolean printed =
        paper.isPresent()
            && rows.stream()
                .anyMatch(row -> cutoffs.stream().anyMatch(m -> paper(output, row, m).isPresent()));
    List<Row> table = new ArrayList<>();
    for (StudyPlan.Entry entry : rows) {
      Map<String, StudyResults.Estimate> test = new LinkedHashMap<>();
      metrics.forEach(metric -> test.put(metric, results.estimate(entry.cell(), metric)));
      Map<String, Double> theirs = new LinkedHashMap<>();
      if (printed) {
        for (int cutoff : cutoffs) {
          paper(output, entry, cutoff).ifPresent(value -> theirs.put("recall@" + cutoff, value));
        }
      }
      table.add(
          new Row(
              entry.name(), entry.label(), test, printed ? Optional.of(theirs) : Optional.empty()));
    }
    tables.put(output.id(), table);
    List<String> heads = new ArrayList<>(List.of(first));
    metrics.forEach(metric -> heads.add(title(metric)));
    if (printed) {
      cutoffs.forEach(cutoff -> heads.add("paper @" + cutoff));
    }
    Table shown =
        new Table(
            "On the test part, best values marked",
            heads,
            table.stream().map(row -> cells(row, table)).toList());
    add(title, shown, output == Output.RECALL ? bars(first, table) : slice(first, table));
  }

  private List<Table.Cell> cells(Row row, List<Row> rows) {
    List<Table.Cell> cells = new ArrayList<>(List.of(new Table.Cell(row.label())));
    row.test()
        .forEach(
            (metric, estimate) ->
                cells.add(
                    new Table.Cell(
                        estimate.text(),
                        rows.size() > 1 && estimate.mean() == best(rows, metric))));
    row.paper()
        .ifPresent(
            theirs ->
                cutoffs.forEach(
                    cutoff -> {
                      Double value = theirs.get("recall@" + cutoff);
                      cells.add(
                          new Table.Cell(
                              value == null ? "" : String.format(Locale.ROOT, "%.3f", value)));
                    }));
    return cells;
  }

  private void add(String title, Table table, Block beside) {
    sections.add(new Page.Section(title, List.of(table, beside)));
  }

  /** Return the best mean of a metric among rows. */
  private static double best(List<Row> rows, String metric) {
    MetricKey measured = MetricKey.parse(metric);
    return rows.stream()
        .mapToDouble(row -> Objects.requireNonNull(row.test().get(metric)).mean())
        .reduce((one, other) -> measured.better(other, one) ? other : one)
        .orElseThrow();
  }

  private Optional<Double> paper(Output output, StudyPlan.Entry row, int cutoff) {
    return paper.flatMap(data -> data.recall(output.id(), row.name(), cutoff));
  }

  /** Compare the methods with every reference that has been trained. */
  private Map<Method, List<Difference>> significance() {
    Map<Method, List<Difference>> significance = new LinkedHashMap<>();
    for (Method reference : settings.against()) {
      String own = plan.cell(reference);
      List<Long> seeds = results.seeds(own);
      List<StudyPlan.Entry> others =
          plan.entries(Output.RECALL).stream()
              .filter(entry -> !entry.cell().equals(own))
              .filter(entry -> results.seeds(entry.cell()).equals(seeds))
              .toList();
      if (!others.isEmpty() && !seeds.isEmpty() && results.perUser(own, seeds.get(0)).length > 1) {
        significance.put(reference, Difference.of(results, others, reference.id(), own));
      }
    }
    return significance;
  }

  private void differences(Method reference, List<Difference> differences) {
    Map<Long, Integer> users = new LinkedHashMap<>();
    Map<String, List<Difference>> byMethod = new LinkedHashMap<>();
    for (Difference one : differences) {
      users.put(one.seed(), one.users());
      byMethod.computeIfAbsent(one.label(), none -> new ArrayList<>()).add(one);
    }
    String explanation =
        String.format(
            Locale.ROOT,
            "Paired t-test of %s over the test users of each seed (%s of them), corrected after"
                + " Holm for %d %s. Below %s a difference is taken for more than chance among"
                + " users; chance among seeds shows in the intervals above.%s",
            measured(),
            String.join(", ", users.values().stream().map(String::valueOf).toList()),
            byMethod.size(),
            byMethod.size() == 1 ? "comparison" : "comparisons",
            Difference.LEVEL,
            users.size() == 1
                ? ""
                : " Seeds divide the same positives, so they are not independent proofs.");
    List<String> heads = new ArrayList<>(List.of("method"));
    users.keySet().forEach(seed -> heads.addAll(List.of("seed " + seed, "p", "p corrected")));
    heads.add("verdict");
    List<List<String>> rows = new ArrayList<>();
    byMethod.forEach(
        (label, bySeed) -> {
          List<String> cells = new ArrayList<>(List.of(label));
          for (Difference one : bySeed) {
            cells.add(String.format(Locale.ROOT, "%+.4f", one.difference()));
            cells.add(probability(one.p()));
            cells.add(probability(one.pHolm()));
          }
          cells.add(verdict(bySeed));
          rows.add(cells);
        });
    add(
        "Differences from " + reference.label(),
        Table.of("Mean difference from " + reference.label() + ", user by user", heads, rows),
        new Words(explanation));
  }

  /** Say with how many seeds a method is worse or better. */
  private static String verdict(List<Difference> bySeed) {
    List<Difference> shown = bySeed.stream().filter(Difference::shown).toList();
    long worse = shown.stream().filter(one -> one.difference() < 0).count();
    List<String> verdicts = new ArrayList<>();
    count("worse", worse, bySeed.size()).ifPresent(verdicts::add);
    count("better", shown.size() - worse, bySeed.size()).ifPresent(verdicts::add);
    return verdicts.isEmpty() ? "no difference shown" : String.join(", ", verdicts);
  }

  private static Optional<String> count(String verdict, long count, int all) {
    return count == 0
        ? Optional.empty()
        : Optional.of(count == all ? verdict : verdict + " in " + count + " of " + all);
  }

  private static String probability(double value) {
    return value < 1e-4 ? "< 0.0001" : String.format(Locale.ROOT, "%.4f", value);
  }

  /** Return the points of the lines of charts, by the name of the chart and of the line. */
  private static Map<String, Map<String, List<double[]>>> points(Map<String, Lines> charts) {
    Map<String, Map<String, List<double[]>>> figures = new LinkedHashMap<>();
    charts.forEach(
        (name, chart) -> {
          Map<String, List<double[]>> lines = new LinkedHashMap<>();
          for (Chart.Series series : chart.series()) {
            lines.put(series.name(), series.points());
          }
          figures.put(name, lines);
        });
    return figures;
  }
}
