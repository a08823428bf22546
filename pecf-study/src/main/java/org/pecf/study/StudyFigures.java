package org.pecf.study;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.pecf.api.field.Posterior;
import org.pecf.engine.request.TrainingRequest;
import org.pecf.study.StudySettings.Output;
import org.pecf.study.page.Chart.Lines;
import org.pecf.study.page.Chart.Series;

/** The figures of a study, drawn from its results. */
final class StudyFigures {
  private static final double LARGEST_ERROR = 3;
  private static final int RHO_POINTS = 121;

  private final String place;
  private final StudyPlan plan;
  private final StudyResults results;
  private final String measure;

  /**
   * Create the figures.
   *
   * @param data the name of the data set
   */
  StudyFigures(String data, StudyPlan plan, StudyResults results, String measure) {
    this.place = data + ", test part: ";
    this.plan = plan;
    this.results = results;
    this.measure = measure;
  }

  /**
   * Return the charts by the name of their file.
   *
   * @param outputs which were asked for
   * @param base says nu and sigma
   */
  Map<String, Lines> charts(Set<Output> outputs, TrainingRequest base) {
    Map<String, Lines> charts = new LinkedHashMap<>();
    String title = StudyReport.title(measure);
    String rounds = "members added to the first";
    add(
        charts,
        "rounds-recall",
        place + title + " round by round",
        rounds,
        title,
        byRound(Output.ROUNDS, measure));
    add(
        charts,
        "rounds-wmse",
        place + "WMSE round by round",
        rounds,
        "WMSE",
        byRound(Output.ROUNDS, "wmse"));
    add(
        charts,
        "alpha",
        place + "influence of alpha on PECF",
        rounds,
        title,
        byRound(Output.ALPHA, measure));
    add(
        charts,
        "em",
        place + "PECF and expectation maximisation",
        "components",
        title,
        byComponents());
    if (outputs.contains(Output.RHO)) {
      add(charts, "rho", "rho as a function of e", "error e", "rho", rho(base));
    }
    return charts;
  }

  private static void add(
      Map<String, Lines> charts,
      String name,
      String title,
      String xLabel,
      String yLabel,
      List<Series> series) {
    if (!series.isEmpty()) {
      charts.put(name, Lines.of(title, "", xLabel, yLabel, series));
    }
  }

  private List<Series> byRound(Output output, String metric) {
    List<Series> series = new ArrayList<>();
    for (StudyPlan.Entry entry : plan.entries(output)) {
      List<double[]> points = points(entry.cell(), metric, 0);
      if (!points.isEmpty()) {
        series.add(new Series(entry.label(), points));
      }
    }
    return series;
  }

  private List<double[]> points(String cell, String metric, int first) {
    List<double[]> points = new ArrayList<>();
    for (int prefix = 0; prefix < results.prefixes(cell); prefix++) {
      points.add(new double[] {first + prefix, results.estimate(cell, prefix, metric).mean()});
    }
    return points;
  }

  private List<Series> byComponents() {
    Map<String, List<double[]>> lines = new LinkedHashMap<>();
    for (StudyPlan.Entry entry : plan.entries(Output.EM)) {
      if (results.has(entry.cell())) {
        List<double[]> line = lines.computeIfAbsent(entry.label(), none -> new ArrayList<>());
        if (entry.cell().equals(Method.PECF.id())) {
          line.addAll(points(entry.cell(), measure, 1));
        } else {
          double components = Double.parseDouble(entry.name());
          line.add(new double[] {components, results.estimate(entry.cell(), measure).mean()});
        }
      }
    }
    List<Series> series = new ArrayList<>();
    lines.forEach((label, points) -> series.add(new Series(label, points)));
    return series;
  }

  /** Draw the weight of a cell by its error, with the settings of the paper and of this study. */
  private static List<Series> rho(TrainingRequest base) {
    Set<List<Double>> pairs = new LinkedHashSet<>();
    pairs.add(
        List.of(
            Double.parseDouble(base.ensemble().weighting().options().get("nu")),
            Double.parseDouble(base.ensemble().weighting().options().get("sigma"))));
    StudyPlan.NU_SIGMA.forEach(pair -> pairs.add(List.of(pair[0], pair[1])));
    List<Series> series = new ArrayList<>();
    for (List<Double> pair : pairs) {
      Posterior rho = new Posterior(pair.get(0).floatValue(), pair.get(1).floatValue(), 1);
      List<double[]> points = new ArrayList<>();
      for (int k = 0; k < RHO_POINTS; k++) {
        double e = LARGEST_ERROR * k / (RHO_POINTS - 1);
        points.add(new double[] {e, rho.at(e)});
      }
      series.add(
          new Series(
              "nu=" + StudyPlan.plain(pair.get(0)) + ", sigma=" + StudyPlan.plain(pair.get(1)),
              points));
    }
    return series;
  }
}
