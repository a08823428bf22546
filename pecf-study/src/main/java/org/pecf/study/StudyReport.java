package org.pecf.study;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.pecf.data.Dataset;
import org.pecf.data.split.SplitRule;
import org.pecf.engine.construct.EnsembleRequest;
import org.pecf.engine.evaluate.CandidatePolicy;
import org.pecf.engine.evaluate.Metric;
import org.pecf.engine.evaluate.MetricKey;
import org.pecf.engine.request.TrainingRequest;
import org.pecf.page.Bars;
import org.pecf.page.Block;
import org.pecf.page.Chart;
import org.pecf.page.Lines;
import org.pecf.page.Page;
import org.pecf.page.Table;
import org.pecf.page.Words;

/** The report of a study, for people and for programs. */
final class StudyReport {
  private static final String FIGURES = "figures";
  private static final String PAGE = "report.html";

  private final StudyBase base;
  private final StudyScope scope;
  private final StudyPlan plan;
  private final Dataset dataset;
  private final StudyResults results;
  private final List<String> notes;
  private final Optional<PaperData> paper;
  private final List<Integer> cutoffs;
  private final String recall;
  private final StringBuilder text = new StringBuilder();

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
      List<String> notes) {}

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
      String name, String label, Map<String, Estimate> test, Optional<Map<String, Double>> paper) {}

  /**
   * The difference of a method from PECF over the test users of a seed.
   *
   * @param difference that of the mean recall of users
   * @param p the probability of such a difference by chance
   * @param pHolm the same, corrected for the number of comparisons
   */
  private record Difference(
      String name,
      @JsonIgnore String label,
      long seed,
      double difference,
      double p,
      double pHolm,
      int users) {}

  StudyReport(
      StudyBase base,
      StudyScope scope,
      StudyPlan plan,
      Dataset dataset,
      Map<String, Map<Long, JobResult>> jobs,
      List<String> notes) {
    this.base = base;
    this.scope = scope;
    this.plan = plan;
    this.dataset = dataset;
    this.results = new StudyResults(jobs);
    this.notes = List.copyOf(notes);
    this.paper = PaperData.of(dataset.shape());
    this.cutoffs = base.pecf().evaluation().cutoffs();
    this.recall = "recall@" + cutoffs.get(0);
  }

  /**
   * Write results.md, results.json, the figures, and timings.json, which alone differs from run to
   * run.
   *
   * @return the text of results.md
   */
  String write(Path folder) {
    Map<String, String> tuned = tuned();
    head(tuned);
    Map<String, List<Row>> tables = new LinkedHashMap<>();
    table(tables, StudyOutput.RECALL, "Recall", "method");
    Optional<List<Difference>> significance = significance();
    significance.ifPresent(this::differences);
    table(tables, StudyOutput.D, "Influence of d", "setting");
    table(tables, StudyOutput.NU_SIGMA, "Influence of nu and sigma", "PECF with");
    Map<String, LineChart> charts =
        new StudyFigures(name(), plan, results, recall).charts(scope.outputs(), base.pecf());
    charts.forEach((name, chart) -> figure(folder, name, chart));
    notes();
    TrainingRequest pecf = base.pecf();
    StudyFiles.write(folder.resolve("results.md"), text.toString());
    StudyFiles.writeJson(
        folder.resolve("results.json"),
        new Json(
            Optional.of(tuned).filter(settings -> !settings.isEmpty()),
            new DataJson(
                dataset.shape().users(),
                dataset.shape().items(),
                dataset.positives().count(),
                dataset.fingerprint()),
            paper.map(data -> new PaperJson(data.name(), data.source())),
            new ProtocolJson(pecf.split(), pecf.evaluation().candidates()),
            Identity.text(pecf),
            scope.seeds(),
            scope.quick(),
            tables,
            significance,
            points(charts),
            notes));
    StudyFiles.writeJson(folder.resolve("timings.json"), results.seconds());
    StudyFiles.write(folder.resolve(PAGE), page(tables, significance, points(charts)).html());
    return text.toString();
  }

  private Page page(
      Map<String, List<Row>> tables,
      Optional<List<Difference>> significance,
      Map<String, Map<String, List<double[]>>> figures) {
    List<Page.Section> sections = new ArrayList<>();
    tables.forEach((name, rows) -> sections.add(new Page.Section(name, blocks(name, rows))));
    significance.ifPresent(
        differences ->
            sections.add(new Page.Section("Differences from PECF", List.of(table(differences)))));
    List<Block> charts = new ArrayList<>();
    figures.forEach(
        (name, lines) ->
            charts.add(
                Lines.of(
                    name,
                    "",
                    "x",
                    "y",
                    lines.entrySet().stream()
                        .map(line -> new Chart.Series(line.getKey(), line.getValue()))
                        .toList())));
    if (!charts.isEmpty()) {
      sections.add(new Page.Section("Figures", charts));
    }
    if (!notes.isEmpty()) {
      sections.add(
          new Page.Section("Notes", notes.stream().map(note -> (Block) new Words(note)).toList()));
    }
    return new Page(
        "The paper's study",
        String.format(
            Locale.ROOT,
            "%,d users, %,d items, %,d positives; %s; %d seeds.",
            dataset.shape().users(),
            dataset.shape().items(),
            dataset.positives().count(),
            base.pecf().evaluation().protocol(base.pecf().split()),
            scope.seeds()),
        sections,
        "PECF");
  }

  private List<Block> blocks(String name, List<Row> rows) {
    List<String> heads = new ArrayList<>(List.of(name));
    heads.addAll(rows.get(0).test().keySet());
    List<List<String>> cells = new ArrayList<>();
    for (Row row : rows) {
      List<String> line = new ArrayList<>(List.of(row.label()));
      row.test().values().forEach(estimate -> line.add(estimate.text()));
      cells.add(line);
    }
    double[] values =
        rows.stream()
            .mapToDouble(row -> Objects.requireNonNull(row.test().get(recall)).mean())
            .toArray();
    return List.of(
        Table.of(name, heads, cells),
        Bars.of(
            recall + " on the test part",
            "",
            name,
            recall,
            rows.stream().map(Row::label).toList(),
            List.of(new Bars.Group(recall, values))));
  }

  private static Table table(List<Difference> differences) {
    return Table.of(
        "Mean difference of recall from PECF, user by user",
        List.of("method", "seed", "difference", "p (Holm)", "users", "verdict"),
        differences.stream()
            .map(
                one ->
                    List.of(
                        one.label(),
                        "" + one.seed(),
                        String.format(Locale.ROOT, "%+.4f", one.difference()),
                        probability(one.pHolm()),
                        "" + one.users(),
                        verdict(List.of(one))))
            .toList());
  }

  /** Return the name of the data set: that of its file or folder. */
  private String name() {
    String location = base.pecf().data().location();
    Path file = location.startsWith("builtin:") ? null : Path.of(location).getFileName();
    return file == null ? location : file.toString();
  }

  /** Return the settings of the methods that have their own. */
  private Map<String, String> tuned() {
    Map<String, String> settings = new LinkedHashMap<>();
    base.tuned()
        .keySet()
        .forEach(
            method -> settings.put(method.id(), Identity.ensemble(base.own(method).orElseThrow())));
    return settings;
  }

  private void head(Map<String, String> tuned) {
    TrainingRequest pecf = base.pecf();
    String name = paper.map(data -> " (" + data.name() + " of the paper)").orElse("");
    line("# The paper's study");
    line("");
    line(
        String.format(
            Locale.ROOT,
            "Data: %s, %,d users, %,d items, %,d positives%s; fingerprint %s.",
            name(),
            dataset.shape().users(),
            dataset.shape().items(),
            dataset.positives().count(),
            name,
            dataset.fingerprint().substring(0, 12)));
    line("");
    EnsembleRequest ensemble = pecf.ensemble();
    line(
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
            scope.seeds(),
            scope.seeds() == 1 ? "seed." : "seeds: mean ± half the 95 % confidence interval."));
    if (!tuned.isEmpty()) {
      line("");
      line("With settings of their own:");
      line("");
      tuned.forEach((method, setting) -> line("- " + Method.of(method).label() + ": " + setting));
    }
    pecf.evaluation()
        .candidates()
        .caveat(pecf.split())
        .ifPresent(
            caveat -> {
              line("");
              line(caveat);
            });
    line("");
    line("Recall is " + Metric.RECALL.definition() + ". WMSE is " + Metric.WMSE.definition() + ".");
    paper.ifPresent(
        data -> {
          line("");
          line("The paper's numbers: " + data.source());
        });
  }

  private void table(
      Map<String, List<Row>> tables, StudyOutput output, String title, String first) {
    List<StudyPlan.Entry> rows =
        plan.entries(output).stream().filter(entry -> results.has(entry.cell())).toList();
    if (rows.isEmpty()) {
      return;
    }
    List<String> metrics = new ArrayList<>();
    cutoffs.forEach(cutoff -> metrics.add("recall@" + cutoff));
    metrics.add("ndcg@" + cutoffs.get(0));
    metrics.add("wmse");
    boolean printed =
        paper.isPresent()
            && rows.stream()
                .anyMatch(row -> cutoffs.stream().anyMatch(m -> paper(output, row, m).isPresent()));
    List<String> header = new ArrayList<>(List.of(first));
    metrics.forEach(
        metric ->
            header.add(
                metric
                    .replace("recall", "Recall")
                    .replace("ndcg", "NDCG")
                    .replace("wmse", "WMSE")));
    if (printed) {
      cutoffs.forEach(cutoff -> header.add("paper @" + cutoff));
    }
    heading(title);
    row(header);
    rule(header.size());
    Map<String, Double> best = new LinkedHashMap<>();
    metrics.forEach(metric -> best.put(metric, best(rows, metric)));
    List<Row> table = new ArrayList<>();
    for (StudyPlan.Entry entry : rows) {
      Map<String, Estimate> test = new LinkedHashMap<>();
      metrics.forEach(metric -> test.put(metric, results.estimate(entry.cell(), metric)));
      List<String> cells = new ArrayList<>(List.of(entry.label()));
      test.forEach(
          (metric, estimate) ->
              cells.add(
                  rows.size() > 1 && Objects.equals(estimate.mean(), best.get(metric))
                      ? "**" + estimate.text() + "**"
                      : estimate.text()));
      Map<String, Double> theirs = new LinkedHashMap<>();
      if (printed) {
        for (int cutoff : cutoffs) {
          Optional<Double> theirValue = paper(output, entry, cutoff);
          cells.add(theirValue.map(value -> String.format(Locale.ROOT, "%.3f", value)).orElse(""));
          theirValue.ifPresent(value -> theirs.put("recall@" + cutoff, value));
        }
      }
      row(cells);
      table.add(
          new Row(
              entry.name(), entry.label(), test, printed ? Optional.of(theirs) : Optional.empty()));
    }
    tables.put(output.id(), table);
  }

  /** Return the best mean of a metric among rows. */
  private double best(List<StudyPlan.Entry> rows, String metric) {
    Metric measured = MetricKey.parse(metric).metric();
    return rows.stream()
        .mapToDouble(row -> results.estimate(row.cell(), metric).mean())
        .reduce((one, other) -> measured.better(other, one) ? other : one)
        .orElseThrow();
  }

  private Optional<Double> paper(StudyOutput output, StudyPlan.Entry row, int cutoff) {
    return paper.flatMap(data -> data.recall(output.id(), row.name(), cutoff));
  }

  /** Compare every method with PECF over the test users, seed by seed. */
  private Optional<List<Difference>> significance() {
    List<Long> seeds = results.seeds(Method.PECF.id());
    List<StudyPlan.Entry> others =
        plan.entries(StudyOutput.RECALL).stream()
            .filter(entry -> !entry.cell().equals(Method.PECF.id()))
            .filter(entry -> results.seeds(entry.cell()).equals(seeds))
            .toList();
    if (others.isEmpty()
        || seeds.isEmpty()
        || results.perUser(Method.PECF.id(), seeds.get(0)).length < 2) {
      return Optional.empty();
    }
    List<String> cells = others.stream().map(StudyPlan.Entry::cell).distinct().toList();
    List<Difference> differences = new ArrayList<>();
    for (long seed : seeds) {
      PairedTests tests = PairedTests.of(results, seed, cells, Method.PECF.id());
      for (StudyPlan.Entry entry : others) {
        PairedTests.Difference one = tests.of(entry.cell());
        differences.add(
            new Difference(
                entry.name(),
                entry.label(),
                seed,
                one.mean(),
                one.p(),
                one.corrected(),
                tests.users()));
      }
    }
    return Optional.of(differences);
  }

  private void differences(List<Difference> differences) {
    Map<Long, Integer> users = new LinkedHashMap<>();
    Map<String, List<Difference>> byMethod = new LinkedHashMap<>();
    for (Difference one : differences) {
      users.put(one.seed(), one.users());
      byMethod.computeIfAbsent(one.label(), none -> new ArrayList<>()).add(one);
    }
    heading("Differences from PECF");
    line(
        String.format(
            Locale.ROOT,
            "Paired t-test of %s over the test users of each seed (%s of them), corrected after"
                + " Holm for %d %s. Below %s a difference is taken for more than chance among"
                + " users; chance among seeds shows in the intervals above.%s",
            recall.replace("recall", "Recall"),
            String.join(", ", users.values().stream().map(String::valueOf).toList()),
            byMethod.size(),
            byMethod.size() == 1 ? "comparison" : "comparisons",
            PairedTests.LEVEL,
            users.size() == 1
                ? ""
                : " Seeds divide the same positives, so they are not independent proofs."));
    line("");
    List<String> header = new ArrayList<>(List.of("method"));
    users.keySet().forEach(seed -> header.addAll(List.of("seed " + seed, "p", "p corrected")));
    header.add("verdict");
    row(header);
    rule(header.size());
    byMethod.forEach(
        (label, bySeed) -> {
          List<String> cells = new ArrayList<>(List.of(label));
          for (Difference one : bySeed) {
            cells.add(String.format(Locale.ROOT, "%+.4f", one.difference()));
            cells.add(probability(one.p()));
            cells.add(probability(one.pHolm()));
          }
          cells.add(verdict(bySeed));
          row(cells);
        });
  }

  /** Say with how many seeds a method is worse or better. */
  private static String verdict(List<Difference> bySeed) {
    List<Difference> shown =
        bySeed.stream().filter(one -> one.pHolm() < PairedTests.LEVEL).toList();
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

  private void figure(Path folder, String name, LineChart chart) {
    String file = FIGURES + "/" + name + ".svg";
    StudyFiles.write(folder.resolve(file), chart.svg());
    heading(chart.title());
    line("![" + chart.title() + "](" + file + ")");
    if (!name.equals("rho")) {
      line("");
      text.append(chart.table());
    }
  }

  /** Return the points of the lines of charts, by the name of the chart and of the line. */
  private static Map<String, Map<String, List<double[]>>> points(Map<String, LineChart> charts) {
    Map<String, Map<String, List<double[]>>> figures = new LinkedHashMap<>();
    charts.forEach(
        (name, chart) -> {
          Map<String, List<double[]>> lines = new LinkedHashMap<>();
          for (LineChart.Series series : chart.series()) {
            lines.put(
                series.name(),
                series.points().stream().map(p -> new double[] {p.x(), p.y()}).toList());
          }
          figures.put(name, lines);
        });
    return figures;
  }

  private void notes() {
    if (!notes.isEmpty()) {
      heading("Notes");
      notes.forEach(note -> line("- " + note.replaceAll("\\s+", " ")));
    }
  }

  private void heading(String title) {
    line("");
    line("## " + title);
    line("");
  }

  private void row(List<String> cells) {
    line("| " + String.join(" | ", cells) + " |");
  }

  private void rule(int columns) {
    line("|---|" + "---:|".repeat(columns - 1));
  }

  private void line(String line) {
    text.append(line).append('\n');
  }
}
