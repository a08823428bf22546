package org.pecf.study.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.pecf.api.PecfException;
import org.pecf.api.data.Part;
import org.pecf.api.memory.SparseCells;
import org.pecf.engine.construct.ConstructionEvent.MemberFinished;
import org.pecf.engine.data.DatasetSummary;
import org.pecf.engine.data.split.Split;
import org.pecf.engine.evaluate.EvaluationReport;
import org.pecf.engine.evaluate.EvaluationReport.SampledUsers;
import org.pecf.engine.evaluate.MetricKey;
import org.pecf.engine.file.FileProblem;
import org.pecf.engine.json.JsonText;
import org.pecf.engine.json.RequestJson;
import org.pecf.engine.request.TrainingRequest;
import org.pecf.engine.run.Comparison;
import org.pecf.engine.run.TrainingResult;
import org.pecf.study.page.Chart;
import org.pecf.study.page.Chart.Bars;
import org.pecf.study.page.Chart.Lines;
import org.pecf.study.page.Figure;
import org.pecf.study.page.Page;
import org.pecf.study.page.Page.Block;
import org.pecf.study.page.Page.Block.Words;
import org.pecf.study.page.Table;

/** The page about one training: what it was given, what it did, how good the result is. */
public final class TrainingReport {
  /** The name of the file in an output folder. */
  public static final String NAME = "report.html";

  private static final int GROUPS = 5;

  private final TrainingResult result;
  private final Optional<Comparison> comparison;
  private final Map<String, Double> seconds;
  private final Map<String, Long> bytes;
  private final String version;
  private final MetricKey recall;

  /**
   * Prepare a page.
   *
   * @param result the training, open
   * @param seconds the duration of each phase
   * @param bytes the memory of the process at the end of each phase
   * @param version the version of the program
   */
  public TrainingReport(
      TrainingResult result, Map<String, Double> seconds, Map<String, Long> bytes, String version) {
    this.result = result;
    this.comparison = result.comparison();
    this.seconds = new LinkedHashMap<>(seconds);
    this.bytes = new LinkedHashMap<>(bytes);
    this.version = version;
    this.recall = result.request().evaluation().usual();
  }

  /**
   * Write the page and the metrics of users.
   *
   * @param folder the folder of the model
   */
  public void write(Path folder) {
    page().write(folder.resolve(NAME));
    Path users = folder.resolve(UserMetrics.NAME);
    try {
      if (!result.reports().isEmpty()) {
        UserMetrics.write(users, last(result.reports()), result.dataset().users());
      }
    } catch (IOException e) {
      throw PecfException.resources(
              "Cannot write %s (%s). Check that the disk has room and the folder is writable.",
              users, FileProblem.reason(e))
          .causedBy(e);
    }
  }

  private Page page() {
    List<Page.Section> sections = new ArrayList<>();
    sections.add(new Page.Section("Result", resultBlocks()));
    sections.add(new Page.Section("Rounds", rounds()));
    MemberErrors errors = new MemberErrors(result.ensemble(), result.split().training());
    List<Block> weighting = new ArrayList<>(List.of(errors.histogram()));
    weighting.addAll(errors.complementarity());
    sections.add(new Page.Section("Errors and how members complement each other", weighting));
    comparison.ifPresent(
        beside ->
            sections.add(
                new Page.Section(
                    "For whom it works", List.copyOf(groups(beside, result.split(), recall)))));
    sections.add(new Page.Section("Data", data()));
    sections.add(new Page.Section("Time and memory", resources()));
    sections.add(new Page.Section("Settings", List.of(settings())));
    return new Page(
        "Training on " + source(result.request()), summary(), sections, "PECF " + version);
  }

  /** Return the name of the data of a training, without the folders it is in. */
  static String source(TrainingRequest request) {
    String text = request.data().location();
    int slash = Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\'));
    return slash >= 0 && slash < text.length() - 1 ? text.substring(slash + 1) : text;
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f\u00a0%%", 100 * share);
  }

  private String summary() {
    int members = result.ensemble().size();
    DatasetSummary data = result.dataset().summary();
    StringBuilder words = new StringBuilder();
    words.append(
        String.format(
            Locale.ROOT,
            "%s of %d %s (construction %s), trained on %,d positives of %,d users and %,d items.",
            members == 1 ? "A model" : "An ensemble",
            members,
            members == 1 ? "member" : "members",
            result.request().ensemble().construction().toString().toLowerCase(Locale.ROOT),
            result.split().training().count(),
            data.users(),
            data.items()));
    comparison.ifPresent(
        beside -> {
          Map<String, EvaluationReport> reports = beside.reports();
          double best = last(reports).value(recall);
          words.append(
              String.format(
                  Locale.ROOT,
                  " On the %s part it finds %s of what users like among its first %d items; "
                      + "popularity alone finds %s.",
                  beside.part(),
                  percent(best),
                  recall.cutoff(),
                  percent(named(reports, "popularity").value(recall))));
          if (reports.size() > 2) {
            double one = named(reports, "one filter").value(recall);
            words.append(
                String.format(
                    Locale.ROOT,
                    " Its best filter by itself finds %s, so the ensemble %s.",
                    percent(one),
                    best > one ? "gains " + percent(best / one - 1) : "gains nothing over it"));
          }
        });
    if (!result.complete()) {
      words.append(" The run was interrupted before its end.");
    }
    return words.toString();
  }

  private static EvaluationReport named(Map<String, EvaluationReport> reports, String name) {
    return Objects.requireNonNull(reports.get(name));
  }

  private static EvaluationReport last(Map<?, EvaluationReport> reports) {
    return reports.values().stream().reduce((earlier, later) -> later).orElseThrow();
  }

  private List<Block> resultBlocks() {
    if (result.reports().isEmpty()) {
      return List.of(new Words("Nothing was held out, so nothing was measured."));
    }
    if (comparison.isPresent()) {
      return List.of(table(comparison.get()), recalls(comparison.get()));
    }
    List<Block> blocks = new ArrayList<>();
    result.reports().forEach((part, report) -> blocks.add(metrics(part, report)));
    return blocks;
  }

  private static Table table(Comparison beside) {
    List<String> heads = new ArrayList<>(List.of("metric"));
    heads.addAll(beside.reports().keySet());
    List<List<Table.Cell>> rows = new ArrayList<>();
    for (MetricKey key : last(beside.reports()).values().keySet()) {
      List<Table.Cell> row = new ArrayList<>(List.of(new Table.Cell(key.toString())));
      Map<String, EvaluationReport> reports = new LinkedHashMap<>(beside.reports());
      if (key.metric().equals(MetricKey.WMSE)) {
        // Counts of positives are not on the scale of ratings.
        reports.remove("popularity");
        row.add(new Table.Cell("–"));
      }
      double[] values = reports.values().stream().mapToDouble(one -> one.value(key)).toArray();
      for (double value : values) {
        boolean best = Arrays.stream(values).noneMatch(other -> key.better(other, value));
        row.add(new Table.Cell(text(value), best));
      }
      rows.add(row);
    }
    return new Table("Metrics on the " + beside.part() + " part", heads, rows);
  }

  private Bars recalls(Comparison beside) {
    List<Integer> cutoffs = result.request().evaluation().cutoffs();
    List<Bars.Group> groups = new ArrayList<>();
    beside
        .reports()
        .forEach(
            (name, report) ->
                groups.add(
                    new Bars.Group(
                        name,
                        cutoffs.stream()
                            .mapToDouble(
                                cutoff -> report.value(new MetricKey(MetricKey.RECALL, cutoff)))
                            .toArray())));
    return Bars.of(
        "Recall on the " + beside.part() + " part",
        result.request().evaluation().protocol(result.request().split()),
        "items in the list",
        "recall",
        cutoffs.stream().map(String::valueOf).toList(),
        groups);
  }

  /** Show metrics, and their standard errors if they are over a sample of users. */
  private static Table metrics(Part part, EvaluationReport report) {
    Map<String, Double> errors =
        report.sampled().map(SampledUsers::standardErrors).orElse(Map.of());
    return Table.of(
        "Metrics on the "
            + part
            + " part"
            + report.sampled().map(sample -> ", lists of " + sample).orElse(""),
        report.sampled().isPresent()
            ? List.of("metric", "value", "standard error")
            : List.of("metric", "value"),
        report.named().entrySet().stream()
            .map(
                entry -> {
                  List<String> row =
                      new ArrayList<>(List.of(entry.getKey(), text(entry.getValue())));
                  if (report.sampled().isPresent()) {
                    Double error = errors.get(entry.getKey());
                    row.add(error == null ? "" : text(error));
                  }
                  return row;
                })
            .toList());
  }

  private static String text(double value) {
    return String.format(Locale.ROOT, "%.4f", value);
  }

  private List<Block> rounds() {
    List<MemberFinished> rounds = result.rounds();
    int kept = result.ensemble().size();
    List<Block> blocks = new ArrayList<>();
    boolean validated = rounds.stream().noneMatch(round -> round.validation().isEmpty());
    if (validated && !rounds.isEmpty()) {
      List<Chart.Series> recalls =
          result.request().evaluation().cutoffs().stream()
              .map(cutoff -> series(new MetricKey(MetricKey.RECALL, cutoff).toString()))
              .toList();
      blocks.add(
          Lines.of(
                  "Recall on the validation part, round by round", "", "members", "recall", recalls)
              .marked(kept, "kept: " + kept));
      blocks.add(
          Lines.of(
                  "Weighted squared error on the validation part",
                  "",
                  "members",
                  "WMSE",
                  List.of(series("wmse")))
              .marked(kept, "kept: " + kept));
    } else {
      blocks.add(new Words("Nothing was measured between rounds: there is no validation part."));
    }
    List<String> members = rounds.stream().map(round -> "" + round.member()).toList();
    double[] weights = Arrays.copyOf(result.ensemble().weights(), rounds.size());
    blocks.add(
        Bars.of(
            "Step length (alpha) and final weight of members",
            kept < rounds.size() ? "Members after number " + kept + " were not kept." : "",
            "member",
            "alpha, weight",
            members,
            List.of(
                new Bars.Group(
                    "alpha", rounds.stream().mapToDouble(MemberFinished::alpha).toArray()),
                new Bars.Group("weight in the end", weights))));
    return blocks;
  }

  private Chart.Series series(String key) {
    return new Chart.Series(
        key,
        result.rounds().stream()
            .filter(round -> round.validation().containsKey(key))
            .map(round -> new double[] {round.member(), round.validation().get(key)})
            .toList());
  }

  /** Return recall by the activity of users and by the popularity of items. */
  static List<Bars> groups(Comparison beside, Split split, MetricKey recall) {
    SparseCells training = split.training();
    SparseCells heldOut = split.part(beside.part()).positives();
    Degrees users = new Degrees(training.users(), training::userCount);
    int[] userBounds = users.bounds(GROUPS);
    Degrees items = new Degrees(training.items(), training::itemCount);
    int[] itemBounds = items.bounds(GROUPS);
    List<Bars.Group> byUser = new ArrayList<>();
    List<Bars.Group> byItem = new ArrayList<>();
    double[] held = new double[itemBounds.length + 1];
    for (int item = 0; item < heldOut.items(); item++) {
      held[Degrees.group(training.itemCount(item), itemBounds)] += heldOut.itemCount(item);
    }
    beside
        .reports()
        .forEach(
            (name, report) -> {
              double[] sums = new double[userBounds.length + 1];
              int[] counts = new int[sums.length];
              int[] counted = report.users();
              double[] values = report.perUser(recall);
              for (int k = 0; k < counted.length; k++) {
                int group = Degrees.group(training.userCount(counted[k]), userBounds);
                sums[group] += values[k];
                counts[group]++;
              }
              byUser.add(new Bars.Group(name, quotients(sums, counts)));
              double[] hits = new double[held.length];
              for (int item : report.hits(recall.cutoff())) {
                hits[Degrees.group(training.itemCount(item), itemBounds)]++;
              }
              double[] shares = new double[held.length];
              Arrays.setAll(shares, k -> held[k] == 0 ? Double.NaN : hits[k] / held[k]);
              byItem.add(new Bars.Group(name, shares));
            });
    String part = " on the " + beside.part() + " part";
    return List.of(
        Bars.of(
            "Recall@" + recall.cutoff() + " by activity of users" + part,
            "Users in groups of about equal size by their training positives; mean over users.",
            "training positives of a user",
            "recall",
            Degrees.names(userBounds, users.most()),
            byUser),
        Bars.of(
            "Recall@" + recall.cutoff() + " by popularity of items" + part,
            "Items in groups of about equal size by their training positives; share of all held-out"
                + " positives of the group that are found.",
            "training positives of an item",
            "recall",
            Degrees.names(itemBounds, items.most()),
            byItem));
  }

  private static double[] quotients(double[] sums, int[] counts) {
    double[] means = new double[sums.length];
    Arrays.setAll(means, k -> counts[k] == 0 ? Double.NaN : sums[k] / counts[k]);
    return means;
  }

  private List<Block> data() {
    SparseCells positives = result.dataset().positives();
    DatasetSummary summary = result.dataset().summary();
    Degrees users = new Degrees(positives.users(), positives::userCount);
    Degrees items = new Degrees(positives.items(), positives::itemCount);
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("users", Figure.of(summary.users())));
    rows.add(List.of("items", Figure.of(summary.items())));
    rows.add(List.of("positives", Figure.of(summary.positives())));
    rows.add(
        List.of("density", String.format(Locale.ROOT, "%.3f\u00a0%%", 100 * summary.density())));
    rows.add(List.of("ratings read", Figure.of(summary.ratingsRead())));
    rows.add(List.of("positives of a user: least, median, mean, most", spread(users)));
    rows.add(List.of("positives of an item: least, median, mean, most", spread(items)));
    rows.add(List.of("training positives", Figure.of(result.split().training().count())));
    rows.add(List.of("validation positives", Figure.of(result.split().validation().count())));
    rows.add(List.of("test positives", Figure.of(result.split().test().count())));
    return List.of(
        Table.of("The data", List.of("what", "how many"), rows),
        Degrees.longTail(users, items),
        users.histogram("Users by their positives", "users"),
        items.histogram("Items by their positives", "items"));
  }

  private static String spread(Degrees degrees) {
    return degrees.least()
        + ", "
        + degrees.median()
        + ", "
        + Figure.of(degrees.mean())
        + ", "
        + degrees.most();
  }

  private List<Block> resources() {
    Map<String, Double> phases = new LinkedHashMap<>(seconds);
    Double total = phases.remove("total");
    double mega = 1 << 20;
    return List.of(
        Bars.of(
            "Time of each phase" + (total == null ? "" : ", " + Figure.of(total) + " s in all"),
            "",
            "phase",
            "seconds",
            List.copyOf(phases.keySet()),
            List.of(
                new Bars.Group(
                    "seconds",
                    phases.values().stream().mapToDouble(Double::doubleValue).toArray()))),
        Bars.of(
            "Memory of the process at the end of each phase",
            "All of it: code, the Java heap, and the off-heap memory that the estimate is about.",
            "phase",
            "MiB",
            List.copyOf(bytes.keySet()),
            List.of(
                new Bars.Group(
                    "MiB", bytes.values().stream().mapToDouble(one -> one / mega).toArray()))),
        Bars.of(
            "Off-heap memory and its estimate",
            "The estimate is a bound that was made before the training began.",
            "off-heap memory",
            "MiB",
            List.of("estimated", "most in use"),
            List.of(
                new Bars.Group(
                    "MiB",
                    new double[] {
                      result.memory().estimatedBytes() / mega, result.memory().peakBytes() / mega
                    }))));
  }

  private Table settings() {
    return Table.of(
        "All options of the run",
        List.of("option", "value"),
        Settings.flat(JsonText.fields(RequestJson.write(result.request()))).entrySet().stream()
            .map(entry -> List.of(entry.getKey(), entry.getValue()))
            .toList());
  }
}
