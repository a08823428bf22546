package org.pecf.study.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.pecf.api.PecfException;
import org.pecf.engine.json.JsonText;
import org.pecf.study.Statistics;
import org.pecf.study.page.Chart;
import org.pecf.study.page.Chart.Bars;
import org.pecf.study.page.Chart.Lines;
import org.pecf.study.page.Page;
import org.pecf.study.page.Page.Block;
import org.pecf.study.page.Page.Block.Words;
import org.pecf.study.page.Table;

/**
 * A comparison of several trainings from their output folders: metrics with 95 % intervals over
 * users, tests of the first against each other run on the users that both measured, the options
 * that differ, and the curves of their rounds. No file that a folder names is opened.
 */
public final class RunComparison {
  private static final String METRICS = "metrics.json";
  private static final int MOST_BYTES = 64 << 20;

  private final List<Run> runs;

  private RunComparison(List<Run> runs) {
    this.runs = runs;
  }

  /** A run, read from its folder. */
  private record Run(
      String name,
      String part,
      Map<String, Double> metrics,
      Map<String, String> settings,
      List<Map<String, Double>> rounds,
      int kept,
      Optional<UserMetrics> users) {}

  /**
   * Read runs.
   *
   * @param folders the output folders of trainings
   * @throws PecfException if one of them holds no results
   */
  public static RunComparison read(List<Path> folders) {
    if (folders.size() < 2) {
      throw PecfException.badOption(
          "A comparison needs two runs at least. Name the output folders of several trainings.");
    }
    List<Run> runs = new ArrayList<>();
    List<String> names = names(folders);
    for (int k = 0; k < folders.size(); k++) {
      runs.add(run(names.get(k), folders.get(k)));
    }
    return new RunComparison(runs);
  }

  /** Return short names that tell folders apart. */
  private static List<String> names(List<Path> folders) {
    List<String> last =
        folders.stream().map(folder -> String.valueOf(folder.getFileName())).toList();
    return Set.copyOf(last).size() == last.size()
        ? last
        : folders.stream().map(Path::toString).toList();
  }

  private static Run run(String name, Path folder) {
    Path file = folder.resolve(METRICS);
    try {
      if (!Files.isRegularFile(file)) {
        throw PecfException.badOption(
            "%s holds no %s. Name the folder that a training stored its model in.",
            folder, METRICS);
      }
      if (Files.size(file) > MOST_BYTES) {
        throw PecfException.badData("%s is too large for the results of a training.", file);
      }
      Map<String, Object> tree = JsonText.fields(Files.readString(file));
      Path users = folder.resolve(UserMetrics.NAME);
      return run(
          name,
          tree,
          Files.isRegularFile(users) ? Optional.of(UserMetrics.read(users)) : Optional.empty());
    } catch (IOException | IllegalArgumentException | ClassCastException e) {
      throw PecfException.badData(
              "The results in %s cannot be read (%s). Train again to write them anew.",
              folder, e.getMessage())
          .causedBy(e);
    }
  }

  private static Run run(String name, Map<String, Object> tree, Optional<UserMetrics> users) {
    Map<String, Map<String, Double>> parts = new LinkedHashMap<>();
    object(tree.get("metrics")).forEach((part, values) -> parts.put(part, numbers(object(values))));
    String last = parts.keySet().stream().reduce("", (earlier, later) -> later);
    List<Map<String, Double>> rounds = new ArrayList<>();
    int kept = 0;
    if (tree.get("rounds") instanceof List<?> list) {
      for (Object round : list) {
        Map<String, Object> fields = object(round);
        rounds.add(numbers(object(fields.get("validation"))));
        kept += Boolean.TRUE.equals(fields.get("kept")) ? 1 : 0;
      }
    }
    return new Run(
        name,
        last,
        parts.getOrDefault(last, Map.of()),
        Settings.flat(object(tree.get("request"))),
        rounds,
        kept,
        users);
  }

  private static Map<String, Object> object(@Nullable Object value) {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (value instanceof Map<?, ?> map) {
      map.forEach((key, content) -> fields.put(String.valueOf(key), content));
    }
    return fields;
  }

  private static Map<String, Double> numbers(Map<String, Object> fields) {
    Map<String, Double> numbers = new LinkedHashMap<>();
    fields.forEach(
        (key, value) -> {
          if (value instanceof Number number) {
            numbers.put(key, number.doubleValue());
          }
        });
    return numbers;
  }

  private Set<String> metricNames() {
    Set<String> names = new LinkedHashSet<>();
    runs.forEach(run -> names.addAll(run.metrics.keySet()));
    return names;
  }

  /** Return the metrics of all runs, best ones marked. */
  public Table metrics() {
    List<String> heads = new ArrayList<>(List.of("metric"));
    runs.forEach(run -> heads.add(run.name));
    List<List<Table.Cell>> rows = new ArrayList<>();
    boolean comparable = same("split") && same("evaluation.candidates") && sameParts();
    boolean sameWeights = same("ensemble.confidence");
    for (String metric : metricNames()) {
      boolean lower = metric.startsWith("wmse");
      double best =
          runs.stream()
              .filter(run -> run.metrics.containsKey(metric))
              .mapToDouble(run -> run.metrics.get(metric))
              .reduce(lower ? Math::min : Math::max)
              .orElse(Double.NaN);
      List<Table.Cell> row = new ArrayList<>(List.of(new Table.Cell(metric)));
      for (Run run : runs) {
        Double value = run.metrics.get(metric);
        row.add(
            value == null
                ? new Table.Cell("–")
                : new Table.Cell(
                    String.format(Locale.ROOT, "%.4f", value) + interval(run, metric),
                    value == best && comparable && (sameWeights || !lower)));
      }
      rows.add(row);
    }
    return new Table(
        "Metrics, with 95 % intervals over users"
            + (!comparable
                ? "; parts, splits or candidates differ, so that no figure compares"
                : sameWeights ? "" : "; confidences differ, so that wmse does not compare"),
        heads,
        rows);
  }

  private boolean same(String option) {
    return runs.stream()
            .map(run -> run.settings.getOrDefault(option, Settings.NONE))
            .distinct()
            .count()
        == 1;
  }

  private boolean sameParts() {
    return runs.stream().map(run -> run.part).distinct().count() == 1;
  }

  private static String interval(Run run, String metric) {
    double half = halfWidth(run, metric);
    return Double.isNaN(half) ? "" : String.format(Locale.ROOT, " ± %.4f", half);
  }

  private static double halfWidth(Run run, String metric) {
    return run.users
        .filter(users -> users.metrics().contains(metric))
        .map(users -> Statistics.halfWidth(users.of(metric, List.copyOf(users.values().keySet()))))
        .orElse(Double.NaN);
  }

  /**
   * Return tests of the first run against each other one, over the users that both measured; p is
   * corrected for the number of tests after Holm.
   */
  public Table tests() {
    Run first = runs.get(0);
    List<List<String>> rows = new ArrayList<>();
    List<Double> raw = new ArrayList<>();
    for (Run other : runs.subList(1, runs.size())) {
      if (first.users.isEmpty() || other.users.isEmpty() || !first.part.equals(other.part)) {
        continue;
      }
      List<String> users = UserMetrics.common(first.users.get(), other.users.get());
      for (String metric : first.users.get().metrics()) {
        if (users.size() < 2 || !other.users.get().metrics().contains(metric)) {
          continue;
        }
        double[] one = first.users.get().of(metric, users);
        double[] two = other.users.get().of(metric, users);
        double[] differences =
            IntStream.range(0, one.length).mapToDouble(k -> two[k] - one[k]).toArray();
        raw.add(Statistics.pairedTest(one, two));
        rows.add(
            new ArrayList<>(
                List.of(
                    other.name + " − " + first.name,
                    metric,
                    String.format(Locale.ROOT, "%+.4f", Statistics.mean(differences)),
                    String.format(Locale.ROOT, "± %.4f", Statistics.halfWidth(differences)),
                    Integer.toString(users.size()))));
      }
    }
    double[] corrected = Statistics.holm(raw.stream().mapToDouble(Double::doubleValue).toArray());
    for (int k = 0; k < rows.size(); k++) {
      rows.get(k)
          .add(String.format(Locale.ROOT, corrected[k] < 1e-4 ? "%.0e" : "%.4f", corrected[k]));
      rows.get(k).add(corrected[k] < 0.05 ? "yes" : "no");
    }
    return Table.of(
        "Differences, user by user",
        List.of(
            "runs", "metric", "difference", "95 % interval", "users", "p (Holm)", "significant"),
        rows);
  }

  /** Return the options in which runs differ. */
  public Table differences() {
    return settings("Options that differ", true);
  }

  private Table settings(String caption, boolean onlyDifferent) {
    Set<String> keys = new LinkedHashSet<>();
    runs.forEach(run -> keys.addAll(run.settings.keySet()));
    List<String> heads = new ArrayList<>(List.of("option"));
    runs.forEach(run -> heads.add(run.name));
    List<List<Table.Cell>> rows = new ArrayList<>();
    for (String key : keys) {
      List<String> values =
          runs.stream().map(run -> run.settings.getOrDefault(key, Settings.NONE)).toList();
      boolean different = Set.copyOf(values).size() > 1;
      if (different || !onlyDifferent) {
        List<Table.Cell> row = new ArrayList<>(List.of(new Table.Cell(key)));
        values.forEach(value -> row.add(new Table.Cell(value, different && !onlyDifferent)));
        rows.add(row);
      }
    }
    return new Table(caption, heads, rows);
  }

  /** Make the page. */
  public Page page(String version) {
    List<Block> quality = new ArrayList<>(List.of(metrics()));
    List<String> shown =
        metricNames().stream()
            .filter(name -> name.startsWith("recall@") || name.startsWith("ndcg@"))
            .toList();
    if (!shown.isEmpty()) {
      quality.add(
          Bars.of(
              "Recall and NDCG",
              "Whiskers are 95 % intervals over users.",
              "metric",
              "value",
              shown,
              runs.stream().map(run -> bars(run, shown)).toList()));
    }
    Table tests = tests();
    List<Block> paired = new ArrayList<>();
    paired.add(
        tests.rows().isEmpty()
            ? new Words("The runs hold no metrics of the same users on the same part.")
            : tests);
    List<Page.Section> sections = new ArrayList<>();
    sections.add(new Page.Section("Metrics", quality));
    sections.add(new Page.Section("Is it chance?", paired));
    List<Block> curves = curves();
    if (!curves.isEmpty()) {
      sections.add(new Page.Section("Rounds", curves));
    }
    Table differences = differences();
    sections.add(
        new Page.Section(
            "Options",
            List.of(
                differences.rows().isEmpty() ? new Words("All options are the same.") : differences,
                settings("All options, different ones marked", false))));
    return new Page(
        "Runs compared",
        runs.size()
            + " trainings: "
            + String.join(", ", runs.stream().map(Run::name).toList())
            + ".",
        sections,
        "PECF " + version);
  }

  private static Bars.Group bars(Run run, List<String> shown) {
    double[] values =
        shown.stream().mapToDouble(key -> run.metrics.getOrDefault(key, Double.NaN)).toArray();
    double[] half = shown.stream().mapToDouble(key -> halfWidth(run, key)).toArray();
    if (Arrays.stream(half).anyMatch(Double::isNaN)) {
      return new Bars.Group(run.name, values);
    }
    double[] low = new double[half.length];
    double[] high = new double[half.length];
    Arrays.setAll(low, k -> values[k] - half[k]);
    Arrays.setAll(high, k -> values[k] + half[k]);
    return new Bars.Group(run.name, values, low, high);
  }

  private List<Block> curves() {
    List<Block> charts = new ArrayList<>();
    Set<String> keys = new LinkedHashSet<>();
    runs.forEach(run -> run.rounds.forEach(round -> keys.addAll(round.keySet())));
    for (String key : keys) {
      if (key.startsWith("recall@") || key.equals("wmse")) {
        List<Chart.Series> series = new ArrayList<>();
        for (Run run : runs) {
          List<double[]> points = new ArrayList<>();
          for (int k = 0; k < run.rounds.size(); k++) {
            Double value = run.rounds.get(k).get(key);
            if (value != null) {
              points.add(new double[] {k + 1, value});
            }
          }
          series.add(new Chart.Series(run.name, points));
        }
        charts.add(
            Lines.of(key + " on the validation part, round by round", "", "members", key, series));
      }
    }
    return charts;
  }
}
