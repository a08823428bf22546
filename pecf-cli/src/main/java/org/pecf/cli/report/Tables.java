package org.pecf.cli.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.pecf.cli.console.Figures;
import org.pecf.cli.console.TextTable;
import org.pecf.cli.console.TextTable.Align;
import org.pecf.engine.construct.MemberFinished;
import org.pecf.engine.evaluate.EvaluationReport;
import org.pecf.engine.evaluate.EvaluationRequest;
import org.pecf.engine.evaluate.Metric;
import org.pecf.engine.evaluate.MetricKey;
import org.pecf.engine.run.Comparison;
import org.pecf.engine.split.SplitRule;

/** The tables that show results. */
public final class Tables {
  private Tables() {}

  /**
   * Show metrics: one row per metric, one column per part and cutoff.
   *
   * @param parts metrics by key such as recall@50, by part. Not modified.
   */
  public static List<String> metrics(Map<String, Map<String, Double>> parts) {
    Set<String> metrics = new LinkedHashSet<>();
    Map<String, Set<String>> cutoffs = new LinkedHashMap<>();
    parts.forEach(
        (part, values) -> {
          Set<String> ofPart = new LinkedHashSet<>();
          values
              .keySet()
              .forEach(
                  key -> {
                    metrics.add(metric(key));
                    ofPart.add(key.substring(metric(key).length()));
                  });
          if (ofPart.size() > 1) {
            // Metrics without a cutoff share the first column.
            ofPart.remove("");
          }
          cutoffs.put(part, ofPart);
        });
    TextTable table = new TextTable().column("metric", Align.LEFT);
    cutoffs.forEach(
        (part, ofPart) -> {
          String name = part + " ";
          for (String cutoff : ofPart) {
            table.column((name + cutoff).strip(), Align.RIGHT);
            name = "";
          }
        });
    for (String metric : metrics) {
      List<String> row = new ArrayList<>();
      row.add(metric);
      cutoffs.forEach(
          (part, ofPart) -> {
            Map<String, Double> values = Objects.requireNonNull(parts.get(part));
            boolean first = true;
            for (String cutoff : ofPart) {
              Double value = values.get(metric + cutoff);
              if (value == null && first) {
                value = values.get(metric);
              }
              row.add(value == null ? "" : Figures.text(value));
              first = false;
            }
          });
      table.row(row);
    }
    return table.lines();
  }

  /** Show an ensemble beside simpler predictions: a row a prediction, a column a metric. */
  public static List<String> comparison(Comparison comparison) {
    EvaluationReport any = comparison.reports().values().iterator().next();
    List<String> keys =
        any.named().keySet().stream()
            .filter(key -> key.startsWith("recall@") || key.startsWith("ndcg@"))
            .toList();
    TextTable table = new TextTable().column("on the " + comparison.part() + " part", Align.LEFT);
    keys.forEach(key -> table.column(key, Align.RIGHT));
    comparison
        .reports()
        .forEach(
            (name, report) -> {
              List<String> row = new ArrayList<>(List.of(name));
              keys.forEach(key -> row.add(Figures.text(report.value(key))));
              table.row(row);
            });
    return table.lines();
  }

  /** Show how metrics were measured: the split, the items ranked, and a caution if there is one. */
  public static List<String> protocol(SplitRule split, EvaluationRequest evaluation) {
    List<String> lines = new ArrayList<>();
    lines.add(evaluation.protocol(split));
    evaluation.candidates().caveat(split).ifPresent(lines::add);
    return lines;
  }

  private static String metric(String key) {
    int at = key.indexOf('@');
    return at < 0 ? key : key.substring(0, at);
  }

  /**
   * Show the rounds of a training.
   *
   * @param rounds the trained members. Not modified.
   * @param weights the weights of those that were kept. Not modified.
   */
  public static List<String> rounds(List<MemberFinished> rounds, double[] weights) {
    List<String> keys =
        rounds.stream()
            .flatMap(round -> round.validation().keySet().stream())
            .filter(key -> key.startsWith("recall@") || key.equals("wmse"))
            .distinct()
            .toList();
    TextTable table =
        new TextTable()
            .column("member", Align.RIGHT)
            .column("filter", Align.LEFT)
            .column("alpha", Align.RIGHT)
            .column("weight", Align.RIGHT);
    String metric = "";
    for (String key : keys) {
      table.column(metric(key).equals(metric) ? key.substring(metric.length()) : key, Align.RIGHT);
      metric = metric(key);
    }
    table.column("time", Align.RIGHT);
    for (MemberFinished round : rounds) {
      List<String> row = new ArrayList<>();
      row.add(Integer.toString(round.member()));
      row.add(round.filter());
      row.add(Figures.text(round.alpha()));
      row.add(
          round.member() <= weights.length ? Figures.text(weights[round.member() - 1]) : "dropped");
      keys.forEach(key -> row.add(marked(key, round, rounds)));
      row.add(Figures.seconds(round.seconds()));
      table.row(row);
    }
    List<String> lines = new ArrayList<>(table.lines());
    if (!keys.isEmpty()) {
      lines.add(0, "on the validation part, after each member (* best):");
    }
    return lines;
  }

  /** Return a value with a star if no round has a better one, and space for a star otherwise. */
  private static String marked(String key, MemberFinished round, List<MemberFinished> rounds) {
    double value = value(key, round);
    Metric metric = MetricKey.parse(key).metric();
    boolean best =
        rounds.size() > 1
            && !Double.isNaN(value)
            && rounds.stream().noneMatch(other -> metric.better(value(key, other), value));
    return Figures.text(value) + (best ? "*" : " ");
  }

  private static double value(String key, MemberFinished round) {
    return round.validation().getOrDefault(key, Double.NaN);
  }
}
