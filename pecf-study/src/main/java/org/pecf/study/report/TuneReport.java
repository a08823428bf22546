package org.pecf.study.report;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.pecf.api.run.RunEvent;
import org.pecf.api.run.RunListener;
import org.pecf.engine.evaluate.MetricKey;
import org.pecf.study.StudyEvent.StudyStarted;
import org.pecf.study.StudyEvent.TrialFinished;
import org.pecf.study.StudyState;
import org.pecf.study.StudyState.Stage;
import org.pecf.study.Trial;
import org.pecf.study.page.Chart;
import org.pecf.study.page.Chart.Lines;
import org.pecf.study.page.Chart.Points;
import org.pecf.study.page.Figure;
import org.pecf.study.page.Page;
import org.pecf.study.page.Page.Block;
import org.pecf.study.page.Page.Block.Words;
import org.pecf.study.page.Table;

/**
 * The page about a search: the metric by each option, the best value over time, and all trials. Its
 * file is rewritten after each training.
 */
public final class TuneReport implements RunListener {
  /** The name of the file in an output folder. */
  public static final String NAME = "report.html";

  /** The ratio of the largest to the smallest value from which an axis is logarithmic. */
  private static final double WIDE = 20;

  private final Path file;
  private final MetricKey metric;
  private final Set<String> logarithmic;
  private final String version;
  private final List<Trial> trials = new ArrayList<>();
  private int all;

  /**
   * Prepare the page.
   *
   * @param folder the folder of the search
   * @param metric the metric that decides
   * @param logarithmic the options whose values are even on a logarithmic scale
   * @param version the version of the program
   */
  public TuneReport(Path folder, MetricKey metric, Set<String> logarithmic, String version) {
    this.file = folder.resolve(NAME);
    this.metric = metric;
    this.logarithmic = Set.copyOf(logarithmic);
    this.version = version;
  }

  @Override
  public void on(RunEvent event) {
    if (event instanceof StudyStarted started) {
      all = started.all();
      write(Stage.RUNNING);
    } else if (event instanceof TrialFinished finished) {
      trials.add(finished.trial());
      if (!finished.found()) {
        write(Stage.RUNNING);
      }
    }
  }

  /** Write that the search has ended, with all trainings or before. */
  public void end() {
    if (all > 0) {
      write(trials.size() == all ? Stage.COMPLETE : Stage.STOPPED);
    }
  }

  private void write(Stage stage) {
    double seconds = trials.stream().mapToDouble(Trial::seconds).sum();
    page(new StudyState(trials.size(), all, stage, seconds)).write(file);
  }

  private Page page(StudyState state) {
    List<Trial> scored = trials.stream().filter(Trial::succeeded).toList();
    List<Page.Section> sections = new ArrayList<>();
    List<Block> progress = new ArrayList<>(List.of(state.steps()));
    best()
        .ifPresent(
            best -> {
              progress.add(progress(scored));
              sections.add(new Page.Section("Options", slices(scored, best)));
            });
    sections.add(
        state.stage() == Stage.COMPLETE ? sections.size() : 0,
        new Page.Section("Progress", progress));
    if (!trials.isEmpty()) {
      sections.add(new Page.Section("Trials", List.of(table())));
    }
    return new Page("Search for settings", lead(), sections, "PECF " + version, state.running());
  }

  private String lead() {
    return best()
        .map(
            best ->
                String.format(
                    Locale.ROOT,
                    "%d %s; the best has %s %.4f on validation, with %s.",
                    trials.size(),
                    trials.size() == 1 ? "trial" : "trials",
                    metric,
                    score(best),
                    words(best.setting())))
        .orElse("No trial has a result yet.");
  }

  /** Return the best of the trials with the most work. */
  private Optional<Trial> best() {
    Comparator<Trial> byScore =
        (one, other) ->
            metric.better(score(one), score(other))
                ? 1
                : metric.better(score(other), score(one)) ? -1 : 0;
    return trials.stream()
        .filter(Trial::succeeded)
        .max(
            Comparator.comparingInt(Trial::budget)
                .thenComparing(byScore)
                .thenComparing(Comparator.comparingInt(Trial::number).reversed()));
  }

  private static double score(Trial trial) {
    return trial.score().orElseThrow();
  }

  private static String words(Map<String, String> setting) {
    return String.join(
        ", ",
        setting.entrySet().stream().map(entry -> entry.getKey() + " " + entry.getValue()).toList());
  }

  private List<Block> slices(List<Trial> scored, Trial best) {
    List<Block> slices = new ArrayList<>();
    slices.add(
        new Words(
            "Every disc is a trial; the triangle is the best of those with the most work. Trials"
                + " with the same value differ in the other options."));
    options().forEach(option -> slices.add(slice(option, scored, best)));
    return slices;
  }

  private Set<String> options() {
    Set<String> options = new LinkedHashSet<>();
    trials.forEach(trial -> options.addAll(trial.setting().keySet()));
    return options;
  }

  private Block slice(String option, List<Trial> scored, Trial best) {
    List<Trial> having =
        scored.stream().filter(trial -> trial.setting().containsKey(option)).toList();
    boolean numbers = having.stream().allMatch(trial -> isNumber(value(trial, option)));
    List<String> names =
        numbers
            ? List.of()
            : having.stream().map(trial -> value(trial, option)).distinct().sorted().toList();
    double[] places = having.stream().mapToDouble(trial -> place(trial, option, names)).toArray();
    double low = Arrays.stream(places).min().orElse(0);
    double high = Arrays.stream(places).max().orElse(0);
    return new Points(
        metric + " by " + option,
        "",
        option,
        metric.toString(),
        numbers && low > 0 && (logarithmic.contains(option) || high / low > WIDE),
        names,
        List.of(
            new Chart.Series(
                "trials", having.stream().map(one -> point(one, option, names)).toList()),
            new Chart.Series(
                "best", having.contains(best) ? List.of(point(best, option, names)) : List.of())));
  }

  private static String value(Trial trial, String option) {
    return Objects.requireNonNull(trial.setting().get(option));
  }

  private static boolean isNumber(String text) {
    try {
      return Double.isFinite(Double.parseDouble(text));
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static double place(Trial trial, String option, List<String> names) {
    String value = value(trial, option);
    return names.isEmpty() ? Double.parseDouble(value) : names.indexOf(value);
  }

  private static double[] point(Trial trial, String option, List<String> names) {
    return new double[] {place(trial, option, names), score(trial)};
  }

  private Lines progress(List<Trial> scored) {
    List<double[]> each = new ArrayList<>();
    List<double[]> best = new ArrayList<>();
    double top = score(scored.get(0));
    for (int k = 0; k < scored.size(); k++) {
      double score = score(scored.get(k));
      top = metric.better(score, top) ? score : top;
      each.add(new double[] {k + 1, score});
      best.add(new double[] {k + 1, top});
    }
    return Lines.of(
        "Best so far",
        "",
        "trial",
        metric.toString(),
        List.of(new Chart.Series("best so far", best), new Chart.Series("each trial", each)));
  }

  private Table table() {
    Set<String> options = options();
    Map<String, List<String>> values = new LinkedHashMap<>();
    options.forEach(
        option ->
            values.put(
                option,
                Figure.aligned(
                    trials.stream()
                        .map(trial -> trial.setting().getOrDefault(option, "–"))
                        .toList())));
    Optional<Trial> best = best();
    List<String> heads = new ArrayList<>(List.of("setting", "work"));
    heads.addAll(options);
    heads.addAll(List.of(metric.toString(), "seconds"));
    List<List<Table.Cell>> rows = new ArrayList<>();
    for (Trial trial : trials) {
      List<Table.Cell> row = new ArrayList<>();
      row.add(new Table.Cell("" + trial.number()));
      row.add(new Table.Cell(trial.budget() == 0 ? "all" : "" + trial.budget()));
      int number = rows.size();
      values.values().forEach(column -> row.add(new Table.Cell(column.get(number))));
      row.add(
          new Table.Cell(
              trial.score().isPresent()
                  ? String.format(Locale.ROOT, "%.4f", trial.score().getAsDouble())
                  : trial.failure().orElse("–"),
              best.isPresent() && best.get().equals(trial)));
      row.add(new Table.Cell(String.format(Locale.ROOT, "%.1f", trial.seconds())));
      rows.add(row);
    }
    return new Table("All trials", heads, rows);
  }
}
