package org.pecf.study.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.pecf.page.Bars;
import org.pecf.page.Block;
import org.pecf.page.Chart;
import org.pecf.page.Lines;
import org.pecf.page.Page;
import org.pecf.page.Points;
import org.pecf.page.Table;
import org.pecf.page.Words;
import org.pecf.study.Trial;
import org.pecf.study.TuneResult;

/** The page about a search: the metric by each option, how it rose, and all trials. */
public final class TuneReport {
  /** The name of the file in an output folder. */
  public static final String NAME = "report.html";

  /** The ratio of the largest to the smallest value from which an axis is logarithmic. */
  private static final double WIDE = 20;

  private TuneReport() {}

  /**
   * Make the page.
   *
   * @param result the trials and the best of them
   * @param metric the metric that decides
   * @param lowerIsBetter whether it improves by falling
   * @param version the version of the program
   */
  public static Page page(TuneResult result, String metric, boolean lowerIsBetter, String version) {
    List<Trial> trials = result.trials();
    List<Trial> scored = trials.stream().filter(Trial::succeeded).toList();
    Trial best = result.best();
    Set<String> options = new LinkedHashSet<>();
    scored.forEach(trial -> options.addAll(trial.setting().keySet()));
    List<Block> slices = new ArrayList<>();
    slices.add(
        new Words(
            "Every point is a trial; the triangle is the best of those with all the work. Points of"
                + " one value spread by what else was drawn."));
    options.forEach(option -> slices.add(slice(option, scored, best, metric)));
    return new Page(
        "Search for settings",
        String.format(
            Locale.ROOT,
            "%d trials; the best has %s %.4f on validation, with %s.",
            trials.size(),
            metric,
            best.score().orElseThrow(),
            words(best.setting())),
        List.of(
            new Page.Section("Options", slices),
            new Page.Section("Progress", List.of(progress(scored, metric, lowerIsBetter))),
            new Page.Section("Trials", List.of(table(trials, metric)))),
        "PECF " + version);
  }

  private static String words(Map<String, String> setting) {
    return String.join(
        ", ",
        setting.entrySet().stream().map(entry -> entry.getKey() + " " + entry.getValue()).toList());
  }

  private static Block slice(String option, List<Trial> scored, Trial best, String metric) {
    List<Trial> having =
        scored.stream().filter(trial -> trial.setting().containsKey(option)).toList();
    try {
      double[] values =
          having.stream()
              .mapToDouble(trial -> Double.parseDouble(trial.setting().get(option)))
              .toArray();
      double low = Arrays.stream(values).min().orElse(0);
      double high = Arrays.stream(values).max().orElse(0);
      return new Points(
          metric + " by " + option,
          "",
          option,
          metric,
          low > 0 && high / low > WIDE,
          List.of(
              new Chart.Series("trials", having.stream().map(one -> point(one, option)).toList()),
              new Chart.Series("best", List.of(point(best, option)))));
    } catch (NumberFormatException e) {
      Map<String, Double> tops = new LinkedHashMap<>();
      having.forEach(
          trial -> tops.merge(trial.setting().get(option), trial.score().orElseThrow(), Math::max));
      return Bars.of(
          "Largest " + metric + " by " + option,
          "",
          option,
          metric,
          List.copyOf(tops.keySet()),
          List.of(
              new Bars.Group(
                  metric, tops.values().stream().mapToDouble(Double::doubleValue).toArray())));
    }
  }

  private static double[] point(Trial trial, String option) {
    return new double[] {
      Double.parseDouble(trial.setting().getOrDefault(option, "NaN")), trial.score().orElseThrow()
    };
  }

  private static Lines progress(List<Trial> scored, String metric, boolean lowerIsBetter) {
    List<double[]> each = new ArrayList<>();
    List<double[]> best = new ArrayList<>();
    double top = scored.get(0).score().orElseThrow();
    for (int k = 0; k < scored.size(); k++) {
      double score = scored.get(k).score().orElseThrow();
      top = lowerIsBetter ? Math.min(top, score) : Math.max(top, score);
      each.add(new double[] {k + 1, score});
      best.add(new double[] {k + 1, top});
    }
    return Lines.of(
        "Best so far",
        "",
        "trial",
        metric,
        List.of(new Chart.Series("best so far", best), new Chart.Series("each trial", each)));
  }

  private static Table table(List<Trial> trials, String metric) {
    Set<String> options = new LinkedHashSet<>();
    trials.forEach(trial -> options.addAll(trial.setting().keySet()));
    List<String> heads = new ArrayList<>(List.of("setting", "work"));
    heads.addAll(options);
    heads.addAll(List.of(metric, "seconds"));
    List<List<String>> rows = new ArrayList<>();
    for (Trial trial : trials) {
      List<String> row =
          new ArrayList<>(
              List.of("" + trial.number(), trial.budget() == 0 ? "all" : "" + trial.budget()));
      options.forEach(option -> row.add(trial.setting().getOrDefault(option, "–")));
      row.add(
          trial.score().isPresent()
              ? String.format(Locale.ROOT, "%.4f", trial.score().getAsDouble())
              : trial.failure().orElse("–"));
      row.add(String.format(Locale.ROOT, "%.1f", trial.seconds()));
      rows.add(row);
    }
    return Table.of("All trials", heads, rows);
  }
}
