package org.pecf.study;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The overview of a study: one line for each method, with its metrics on the test part, its
 * processor seconds and its differences from the first method that others are tested against.
 */
final class StudyOverview {
  private static final String NOTHING = "–";

  private final StudyBase base;
  private final StudyScope scope;
  private final StudyPlan plan;
  private final StudyResults results;
  private final String data;

  /**
   * Create an overview.
   *
   * @param data the name of the data set
   */
  StudyOverview(
      StudyBase base, StudyScope scope, StudyPlan plan, StudyResults results, String data) {
    this.base = base;
    this.scope = scope;
    this.plan = plan;
    this.results = results;
    this.data = data;
  }

  /** Write overview.md, if the study compares methods. */
  void write(Path folder) {
    List<StudyPlan.Entry> methods =
        plan.entries(StudyOutput.RECALL).stream()
            .filter(entry -> results.has(entry.cell()))
            .toList();
    if (!methods.isEmpty()) {
      StudyFiles.write(folder.resolve("overview.md"), text(methods));
    }
  }

  private String text(List<StudyPlan.Entry> methods) {
    Method reference = scope.against().get(0);
    String own = plan.cell(reference);
    List<Long> seeds = results.seeds(own);
    List<String> compared =
        methods.stream()
            .map(StudyPlan.Entry::cell)
            .distinct()
            .filter(cell -> !cell.equals(own) && results.seeds(cell).equals(seeds))
            .toList();
    boolean tested = !compared.isEmpty() && !seeds.isEmpty();
    Map<Long, PairedTests> tests = new LinkedHashMap<>();
    if (tested) {
      seeds.forEach(seed -> tests.put(seed, PairedTests.of(results, seed, compared, own)));
    }
    List<String> metrics = new ArrayList<>();
    base.pecf().evaluation().cutoffs().forEach(cutoff -> metrics.add("recall@" + cutoff));
    metrics.add("ndcg@" + base.measure().cutoff());
    metrics.add("coverage@" + base.measure().cutoff());
    List<String> heads = new ArrayList<>(List.of("method"));
    metrics.forEach(metric -> heads.add(StudyReport.title(metric)));
    heads.add("CPU s");
    if (tested) {
      String numbers = String.join(" / ", seeds.stream().map(String::valueOf).toList());
      heads.add("from " + reference.label() + ", seeds " + numbers);
      heads.add("p, corrected");
    }
    List<List<String>> rows = new ArrayList<>(List.of(heads));
    for (StudyPlan.Entry method : methods) {
      List<String> row = new ArrayList<>(List.of(method.label()));
      metrics.forEach(metric -> row.add(results.estimate(method.cell(), metric).brief()));
      row.add(seconds(results.processorSeconds(method.cell())));
      if (tested) {
        row.addAll(differences(method.cell(), compared, tests));
      }
      rows.add(row);
    }
    StringBuilder text = new StringBuilder();
    text.append("# ")
        .append(data)
        .append(": all methods\n\n")
        .append(explanation(tested, compared));
    for (int k = 0; k < rows.size(); k++) {
      text.append("| ").append(String.join(" | ", rows.get(k))).append(" |\n");
      if (k == 0) {
        text.append("|---|").append("---:|".repeat(heads.size() - 1)).append('\n');
      }
    }
    return text.toString();
  }

  private String explanation(boolean tested, List<String> compared) {
    String seeds =
        scope.seeds() == 1
            ? "one seed"
            : "mean of " + scope.seeds() + " seeds ± half the 95 % confidence interval";
    String tests =
        tested
            ? String.format(
                " Differences are those of %s; p is of a paired t-test over the users of a seed,"
                    + " corrected after Holm for %d %s.",
                StudyReport.title(base.measure().toString()),
                compared.size(),
                compared.size() == 1 ? "comparison" : "comparisons")
            : "";
    return String.format(
        "Test part, %s; %s. CPU s: processor seconds of one training and its measuring, all threads"
            + " together, the median of the seeds.%s\n\n",
        base.pecf().evaluation().protocol(base.pecf().split()), seeds, tests);
  }

  private static List<String> differences(
      String cell, List<String> compared, Map<Long, PairedTests> tests) {
    if (!compared.contains(cell)) {
      return List.of("", "");
    }
    List<PairedTests.Difference> bySeed =
        tests.values().stream().map(ofSeed -> ofSeed.of(cell)).toList();
    return List.of(
        String.join(" / ", bySeed.stream().map(one -> signed(one.mean())).toList()),
        String.join(" / ", bySeed.stream().map(one -> probability(one.corrected())).toList()));
  }

  /** Return a difference with its sign and four decimals, without the zero before them. */
  private static String signed(double difference) {
    return String.format(Locale.ROOT, "%+.4f", difference)
        .replace('-', '−')
        .replaceFirst("0\\.", ".");
  }

  private static String probability(double value) {
    if (value < 1e-4) {
      return "<.0001";
    }
    String format = value < 5e-4 ? "%.4f" : "%.3f";
    return value >= 0.9995 ? "1" : String.format(Locale.ROOT, format, value).substring(1);
  }

  private static String seconds(OptionalDouble seconds) {
    return seconds.isEmpty()
        ? NOTHING
        : String.format(
            Locale.ROOT, seconds.getAsDouble() < 10 ? "%.1f" : "%.0f", seconds.getAsDouble());
  }
}
