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
    StudyFiles.write(folder.resolve("results.md"), text.toString());
    StudyFiles.writeJson(folder.resolve("results.json"), json);
    ObjectNode timings = JsonNodeFactory.instance.objectNode();
    results.seconds().forEach(timings::put);
    StudyFiles.writeJson(folder.resolve("timings.json"), timings);
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
      ObjectNode measured = node.putObject("test");
      List<String> cells = new ArrayList<>(List.of(entry.label()));
      for (String metric : metrics) {
        Estimate estimate = results.estimate(entry.cell(), metric);
        cells.add(estimate.text());
        measured.set(metric, estimate.toJson());
      }
      if (printed) {
        ObjectNode theirs = node.putObject("paper");
        for (int cutoff : cutoffs) {
          Optional<Double> theirValue = paper(output, entry, cutoff);
          cells.add(theirValue.map(value -> String.format(Locale.ROOT, "%.3f", value)).orElse(""));
          theirValue.ifPresent(value -> theirs.put("recall@" + cutoff, value));
        }
      }
      row(cells);
    }
  }

  private Optional<Double> paper(StudyOutput output, StudyPlan.Entry row, int cutoff) {
    return paper.flatMap(data -> data.recall(output.id(), row.name(), cutoff));
  }

  /** Compare every method with PECF over the test users, seed by seed. */
  private void significance() {
    List<Long> seeds = results.seeds(Method.PECF.id());
    List<StudyPlan.Entry> others =
        plan.entries(StudyOutput.RECALL).stream()
            .filter(entry -> !entry.cell().equals(Method.PECF.id()))
            .filter(entry -> results.seeds(entry.cell()).equals(seeds))
            .toList();
    if (seeds.isEmpty()
        || others.isEmpty()
        || results.perUser(Method.PECF.id(), seeds.get(0)).length < 2) {
      return;
    }
    List<String> cells = others.stream().map(StudyPlan.Entry::cell).distinct().toList();
    List<PairedTests> tests =
        seeds.stream().map(seed -> PairedTests.of(results, seed, cells, Method.PECF.id())).toList();
    heading("Differences from PECF");
    line(
        "Paired t-test of "
            + recall.replace("recall", "Recall")
            + " over the test users of each seed ("
            + String.join(", ", tests.stream().map(test -> Integer.toString(test.users())).toList())
            + " of them), corrected after Holm for "
            + cells.size()
            + (cells.size() == 1 ? " comparison" : " comparisons")
            + ". Below "
            + PairedTests.LEVEL
            + " a difference is taken for more than chance among users; chance among seeds shows"
            + " in the intervals above."
            + (seeds.size() == 1
                ? ""
                : " The seeds divide the same positives, so they are not independent proofs."));
    line("");
    List<String> header = new ArrayList<>(List.of("method"));
    seeds.forEach(seed -> header.addAll(List.of("difference, seed " + seed, "p", "p corrected")));
    header.add("verdict");
    row(header);
    rule(header.size());
    for (StudyPlan.Entry entry : others) {
      List<String> row = new ArrayList<>(List.of(entry.label()));
      List<PairedTests.Difference> differences =
          tests.stream().map(test -> test.of(entry.cell())).toList();
      for (PairedTests.Difference difference : differences) {
        row.add(String.format(Locale.ROOT, "%+.4f", difference.mean()));
        row.add(probability(difference.p()));
        row.add(probability(difference.corrected()));
      }
      row.add(verdict(differences));
      row(row);
    }
    ArrayNode list = json.putArray("significance");
    for (PairedTests test : tests) {
      for (StudyPlan.Entry entry : others) {
        PairedTests.Difference difference = test.of(entry.cell());
        list.addObject()
            .put("name", entry.name())
            .put("seed", test.seed())
            .put("difference", difference.mean())
            .put("p", difference.p())
            .put("pHolm", difference.corrected())
            .put("users", test.users());
      }
    }
  }

  /** Say in how many seeds a method is worse or better. */
  private static String verdict(List<PairedTests.Difference> differences) {
    int all = differences.size();
    long worse = differences.stream().filter(difference -> difference.sign() < 0).count();
    long better = differences.stream().filter(difference -> difference.sign() > 0).count();
    List<String> verdicts = new ArrayList<>();
    if (worse > 0) {
      verdicts.add(worse == all ? "worse" : "worse in " + worse + " of " + all);
    }
    if (better > 0) {
      verdicts.add(better == all ? "better" : "better in " + better + " of " + all);
    }
    return verdicts.isEmpty() ? "no difference shown" : String.join(", ", verdicts);
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
              StudyFiles.write(folder.resolve(file), chart.svg());
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
