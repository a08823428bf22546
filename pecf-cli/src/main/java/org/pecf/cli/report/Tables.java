package org.pecf.cli.report;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.pecf.cli.console.Figures;
import org.pecf.cli.console.Terminal;
import org.pecf.cli.console.TextTable;
import org.pecf.cli.console.TextTable.Align;
import org.pecf.engine.construct.ConstructionEvent.MemberFinished;
import org.pecf.engine.data.split.SplitRule;
import org.pecf.engine.evaluate.EvaluationReport;
import org.pecf.engine.evaluate.EvaluationRequest;
import org.pecf.engine.evaluate.MetricKey;
import org.pecf.engine.run.Comparison;
import org.pecf.study.page.Page.Block;
import org.pecf.study.page.Page.Block.Words;
import org.pecf.study.page.Table;

/** The tables that show results. */
public final class Tables {
  private Tables() {}

  /**
   * Show metrics: one row per metric, one column per part and cutoff.
   *
   * @param parts metrics by key such as recall@50, by part. Not modified.
   */
  public static TextTable metrics(Map<String, Map<String, Double>> parts) {
    return metrics(parts, Map.of());
  }

  /**
   * Show the metrics of reports, see {@link #metrics(Map)}, beside the standard errors of those
   * that are over a sample of users, and how large the samples are.
   *
   * @param reports by part. Not modified.
   */
  public static List<String> reports(Map<?, EvaluationReport> reports, Terminal page) {
    Map<String, Map<String, Double>> parts = new LinkedHashMap<>();
    Map<String, Map<String, Double>> errors = new LinkedHashMap<>();
    List<String> samples = new ArrayList<>();
    reports.forEach(
        (part, report) -> {
          parts.put(part.toString(), report.named());
          report
              .sampled()
              .ifPresent(
                  sample -> {
                    errors.put(part.toString(), sample.standardErrors());
                    samples.add(part + ": lists of " + sample + ", +- standard error");
                  });
        });
    List<String> lines = new ArrayList<>(metrics(parts, errors).lines(page));
    lines.addAll(samples);
    return lines;
  }

  /**
   * Show metrics.
   *
   * @param errors their standard errors, where they have any, by key and part. Not modified.
   */
  private static TextTable metrics(
      Map<String, Map<String, Double>> parts, Map<String, Map<String, Double>> errors) {
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
    TextTable table = new TextTable().left("metric");
    cutoffs.forEach(
        (part, ofPart) -> {
          for (String cutoff : ofPart) {
            table.column(part + (cutoff.isEmpty() ? "" : " "), cutoff, Align.RIGHT);
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
              Double error = errors.getOrDefault(part, Map.of()).get(metric + cutoff);
              row.add(
                  (value == null ? "" : Figures.text(value))
                      + (error == null ? "" : " +-" + Figures.text(error)));
              first = false;
            }
          });
      table.row(row);
    }
    return table;
  }

  /** Show words and tables of figures as people read them on a terminal, with no line too long. */
  public static List<String> lines(List<Block> blocks, Terminal page) {
    List<String> lines = new ArrayList<>();
    for (Block block : blocks) {
      if (block instanceof Words words) {
        lines.addAll(TextTable.broken(words.text(), page.columns()));
      } else if (block instanceof Table table) {
        lines.addAll(figures(table).lines(page));
      }
    }
    return lines;
  }

  private static TextTable figures(Table table) {
    TextTable text = new TextTable().left(table.heads().get(0));
    table.heads().stream().skip(1).forEach(text::right);
    for (List<Table.Cell> row : table.rows()) {
      Set<Integer> best = new HashSet<>();
      for (int column = 0; column < row.size(); column++) {
        if (row.get(column).marked()) {
          best.add(column);
        }
      }
      text.row(row.stream().map(Table.Cell::text).toList(), best);
    }
    return text;
  }

  /** Show an ensemble beside simpler predictions: one row per prediction, one column per metric. */
  public static TextTable comparison(Comparison comparison) {
    EvaluationReport any = comparison.reports().values().iterator().next();
    List<String> keys =
        any.named().keySet().stream()
            .filter(key -> key.startsWith("recall@") || key.startsWith("ndcg@"))
            .toList();
    TextTable table = new TextTable().column("on the " + comparison.part() + " part", Align.LEFT);
    keys.forEach(key -> column(table, key));
    List<Map<String, Double>> all =
        comparison.reports().values().stream().map(EvaluationReport::named).toList();
    comparison
        .reports()
        .forEach(
            (name, report) -> {
              List<String> row = new ArrayList<>(List.of(name));
              keys.forEach(key -> row.add(Figures.text(report.value(key))));
              table.row(row, best(keys, 1, report.named(), all));
            });
    return table;
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

  private static void column(TextTable table, String key) {
    table.column(metric(key), key.substring(metric(key).length()), Align.RIGHT);
  }

  /**
   * Return the columns in which a row has a value that no row surpasses, if there are others.
   *
   * @param keys the metrics, a column each. Not modified.
   * @param first the column of the first metric
   * @param row the values of the row by metric. Not modified.
   * @param all those of all rows. Not modified.
   */
  private static Set<Integer> best(
      List<String> keys, int first, Map<String, Double> row, List<Map<String, Double>> all) {
    Set<Integer> best = new HashSet<>();
    for (int k = 0; k < keys.size() && all.size() > 1; k++) {
      String key = keys.get(k);
      MetricKey metric = MetricKey.parse(key);
      double value = value(key, row);
      if (!Double.isNaN(value)
          && all.stream().noneMatch(other -> metric.better(value(key, other), value))) {
        best.add(first + k);
      }
    }
    return best;
  }

  /**
   * Show the rounds of a training.
   *
   * @param rounds the trained members. Not modified.
   * @param weights the weights of those that were kept, by number. Not modified.
   * @param page the page that they are shown on
   */
  public static List<String> rounds(
      List<MemberFinished> rounds, Map<Integer, Double> weights, Terminal page) {
    List<String> keys =
        rounds.stream()
            .flatMap(round -> round.validation().keySet().stream())
            .filter(key -> key.startsWith("recall@") || key.equals("wmse"))
            .distinct()
            .toList();
    TextTable table = new TextTable().right("member").left("filter").right("alpha", "weight");
    keys.forEach(key -> column(table, key));
    table.right("time");
    List<Map<String, Double>> all = rounds.stream().map(MemberFinished::validation).toList();
    for (MemberFinished round : rounds) {
      List<String> row = new ArrayList<>();
      row.add(Integer.toString(round.member()));
      row.add(round.filter());
      row.add(Figures.text(round.alpha()));
      Double weight = weights.get(round.member());
      row.add(weight == null ? "dropped" : Figures.text(weight));
      int first = row.size();
      keys.forEach(key -> row.add(Figures.text(value(key, round.validation()))));
      row.add(Figures.seconds(round.seconds()));
      table.row(row, best(keys, first, round.validation(), all));
    }
    List<String> lines = new ArrayList<>(table.lines(page));
    if (!keys.isEmpty()) {
      lines.add(0, "on the validation part, after each member (* best):");
    }
    return lines;
  }

  private static double value(String key, Map<String, Double> figures) {
    return figures.getOrDefault(key, Double.NaN);
  }
}
