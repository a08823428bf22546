package org.pecf.study;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.pecf.engine.data.Dataset;
import org.pecf.engine.evaluate.Metric;
import org.pecf.engine.request.TrainingRequest;

/** The report of a study, for people and for programs. */
final class StudyReport {
  private static final String FIGURES = "figures";
  private static final double LEVEL = 0.05;

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
  private final ObjectNode json = JsonNodeFactory.instance.objectNode();

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
    head();
    ObjectNode tables = json.putObject("tables");
    table(tables, StudyOutput.RECALL, "Recall", "method");
    significance();
    table(tables, StudyOutput.D, "Influence of d", "setting");
    table(tables, StudyOutput.NU_SIGMA, "Influence of nu and sigma", "PECF with");
    figures(folder);
    notes();
    WholeFile.write(folder.resolve("results.md"), text.toString());
    StudyJson.write(folder.resolve("results.json"), json);
    ObjectNode timings = JsonNodeFactory.instance.objectNode();
    results.seconds().forEach(timings::put);
    StudyJson.write(folder.resolve("timings.json"), timings);
    return text.toString();
  }

  private void head() {
    TrainingRequest pecf = base.pecf();
    String name = paper.map(data -> " (" + data.name() + " of the paper)").orElse("");
    line("# The paper's study");
    line("");
    line(
        String.format(
            Locale.ROOT,
            "Data: %,d users, %,d items, %,d positives%s; fingerprint %s.",
            dataset.shape().users(),
            dataset.shape().items(),
            dataset.positives().count(),
            name,
            dataset.fingerprint().substring(0, 12)));
    line("");
    line(
        "Protocol: "
            + pecf.evaluation().protocol(pecf.split())
            + ". Base: confidence "
            + pecf.ensemble().confidence()
            + "; filter "
            + pecf.ensemble().filters().get(0).id()
            + " "
            + pecf.ensemble().filters().get(0).options()
            + "; "
            + pecf.ensemble().rounds()
            + (pecf.ensemble().rounds() == 1 ? " member" : " members")
            + " added to the first; weighting "
            + pecf.ensemble().weighting().options()
            + "; "
            + scope.seeds()
            + (scope.seeds() == 1
                ? " seed."
                : " seeds: mean ± half the 95 % confidence interval."));
    if (!base.tuned().isEmpty()) {
      line("");
      line("With settings of their own:");
      line("");
      ObjectNode own = json.putObject("tuned");
      base.tuned()
          .keySet()
          .forEach(
              method -> {
                String setting = Identity.ensemble(base.own(method).orElseThrow());
                line("- " + method.label() + ": " + setting);
                own.put(method.id(), setting);
              });
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
    json.putObject("data")
        .put("users", dataset.shape().users())
        .put("items", dataset.shape().items())
        .put("positives", dataset.positives().count())
        .put("fingerprint", dataset.fingerprint());
    paper.ifPresent(
        data -> json.putObject("paper").put("data", data.name()).put("source", data.source()));
    json.putObject("protocol")
        .put("split", pecf.split().toString())
        .put("candidates", pecf.evaluation().candidates().id());
    json.put("base", Identity.text(pecf));
    json.put("seeds", scope.seeds());
    json.put("quick", scope.quick());
  }

  private void table(ObjectNode tables, StudyOutput output, String title, String first) {
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
    ArrayNode table = tables.putArray(output.id());
    for (StudyPlan.Entry entry : rows) {
      ObjectNode node = table.addObject().put("name", entry.name()).put("label", entry.label());
      ObjectNode figures = node.putObject("test");
      List<String> cells = new ArrayList<>(List.of(entry.label()));
      for (String metric : metrics) {
        Estimate estimate = results.estimate(entry.cell(), metric);
        cells.add(estimate.text());
        figures.set(metric, estimate.toJson());
      }
      if (printed) {
        ObjectNode theirs = node.putObject("paper");
        for (int cutoff : cutoffs) {
          Optional<Double> figure = paper(output, entry, cutoff);
          cells.add(figure.map(value -> String.format(Locale.ROOT, "%.3f", value)).orElse(""));
          figure.ifPresent(value -> theirs.put("recall@" + cutoff, value));
        }
      }
      row(cells);
    }
  }

  private Optional<Double> paper(StudyOutput output, StudyPlan.Entry row, int cutoff) {
    return paper.flatMap(data -> data.recall(output.id(), row.name(), cutoff));
  }

  /** Compare every method with PECF over the test users of the first seed. */
  private void significance() {
    double[] pecf = results.perUser(Method.PECF.id(), base.pecf().seed());
    List<StudyPlan.Entry> others =
        plan.entries(StudyOutput.RECALL).stream()
            .filter(entry -> !entry.cell().equals(Method.PECF.id()))
            .filter(entry -> results.perUser(entry.cell(), base.pecf().seed()).length > 0)
            .toList();
    if (pecf.length < 2 || others.isEmpty()) {
      return;
    }
    double[] tests =
        others.stream()
            .mapToDouble(
                entry ->
                    Statistics.pairedTest(results.perUser(entry.cell(), base.pecf().seed()), pecf))
            .toArray();
    double[] corrected = Statistics.holm(tests);
    heading("Differences from PECF");
    line(
        "Paired t-test of "
            + recall.replace("recall", "Recall")
            + " over the "
            + pecf.length
            + " test users of seed "
            + base.pecf().seed()
            + ", corrected after Holm for "
            + tests.length
            + (tests.length == 1 ? " comparison" : " comparisons")
            + ". Below "
            + LEVEL
            + " a difference is taken for more than chance among users; chance among seeds shows"
            + " in the intervals above.");
    line("");
    row(List.of("method", "difference", "p", "p corrected", "verdict"));
    rule(5);
    ArrayNode list = json.putArray("significance");
    for (int k = 0; k < tests.length; k++) {
      StudyPlan.Entry entry = others.get(k);
      double difference =
          Statistics.mean(results.perUser(entry.cell(), base.pecf().seed()))
              - Statistics.mean(pecf);
      String verdict =
          corrected[k] >= LEVEL ? "no difference shown" : difference < 0 ? "worse" : "better";
      row(
          List.of(
              entry.label(),
              String.format(Locale.ROOT, "%+.4f", difference),
              probability(tests[k]),
              probability(corrected[k]),
              verdict));
      list.addObject()
          .put("name", entry.name())
          .put("difference", difference)
          .put("p", tests[k])
          .put("pHolm", corrected[k])
          .put("users", pecf.length);
    }
  }

  private static String probability(double value) {
    return value < 1e-4 ? "< 0.0001" : String.format(Locale.ROOT, "%.4f", value);
  }

  private void figures(Path folder) {
    ObjectNode node = json.putObject("figures");
    new StudyFigures(plan, results, recall)
        .charts(scope.outputs(), base.pecf())
        .forEach(
            (name, chart) -> {
              String file = FIGURES + "/" + name + ".svg";
              WholeFile.write(folder.resolve(file), chart.svg());
              heading(chart.title());
              line("![" + chart.title() + "](" + file + ")");
              if (!name.equals("rho")) {
                line("");
                text.append(chart.table());
              }
              ObjectNode lines = node.putObject(name);
              for (LineChart.Series series : chart.series()) {
                ArrayNode points = lines.putArray(series.name());
                series.points().forEach(p -> points.addArray().add(p.x()).add(p.y()));
              }
            });
  }

  private void notes() {
    ArrayNode list = json.putArray("notes");
    if (!notes.isEmpty()) {
      heading("Notes");
      notes.forEach(
          note -> {
            line("- " + note.replaceAll("\\s+", " "));
            list.add(note);
          });
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
