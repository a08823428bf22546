package org.pecf.study;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.memory.GridShape;
import org.pecf.api.plugin.Choices;
import org.pecf.data.split.SplitRule;
import org.pecf.engine.evaluate.CandidatePolicy;
import org.pecf.engine.request.TrainingRequest;
import org.pecf.page.Page;
import org.pecf.page.Table;
import org.pecf.study.LineChart.Point;
import org.pecf.study.LineChart.Series;

/** The outcome of the study of protocols, for people and for programs. */
final class ProtocolReport {
  private static final String TITLE = "Protocols on pure noise";
  private static final String FIGURE = "figures/protocols.svg";

  /** The number of deviations that chance exceeds once in a thousand times. */
  private static final double LIMIT = 3.29;

  private final TrainingRequest request;
  private final GridShape shape;
  private final long positives;
  private final int seeds;
  private final Map<Protocol, ProtocolResult> results;
  private final Chance memoriser;
  private final int cutoff;

  /**
   * Take the outcome.
   *
   * @param request the training of the first seed, but for its split
   * @param shape how many users and items a seed has
   * @param positives how many positives a seed has
   * @param memoriser the recall of a model that knows nothing but the trained zeros
   */
  ProtocolReport(
      TrainingRequest request,
      GridShape shape,
      long positives,
      int seeds,
      Map<Protocol, ProtocolResult> results,
      Chance memoriser) {
    this.request = request;
    this.shape = shape;
    this.positives = positives;
    this.seeds = seeds;
    this.results = results;
    this.memoriser = memoriser;
    this.cutoff = request.evaluation().cutoffs().get(0);
  }

  /**
   * Write protocols.md, protocols.json, the figure and the page.
   *
   * @return the text of protocols.md
   */
  String write(Path folder) {
    LineChart chart = chart();
    StudyFiles.write(folder.resolve(FIGURE), chart.svg());
    StudyFiles.writeJson(folder.resolve("protocols.json"), json());
    String text = text(chart);
    StudyFiles.write(ProtocolStudy.report(folder), text);
    StudyFiles.write(folder.resolve(StudyReport.PAGE), page(chart).html());
    return text;
  }

  /** Write the page of a study that has not ended. */
  static void writePage(Path folder, StudyState state) {
    StudyFiles.write(
        folder.resolve(StudyReport.PAGE),
        new Page(
                TITLE,
                "What each way to divide and rank gives where nothing can be predicted.",
                List.of(new Page.Section("Progress", List.of(state.steps()))),
                "PECF",
                state.running())
            .html());
  }

  private Page page(LineChart chart) {
    List<String> heads =
        List.of(
            "protocol",
            "chance",
            "Recall@" + cutoff + ", one member",
            "Recall@" + cutoff + ", all members",
            "/ chance",
            "excess",
            "verdict");
    Table table =
        Table.of(
            "Recall beside chance; the excess in standard deviations of chance",
            heads,
            results.values().stream()
                .map(
                    result ->
                        List.of(
                            result.protocol().label(),
                            String.format(
                                Locale.ROOT,
                                "%.4f ± %.4f",
                                result.chance().mean(),
                                result.chance().halfWidth()),
                            fixed(result.recall(0).mean()),
                            fixed(result.recall().mean()),
                            String.format(Locale.ROOT, "%.2f", result.ratio(result.prefixes() - 1)),
                            String.format(Locale.ROOT, "%+.1f", result.excess()),
                            verdict(result.excess())))
                .toList());
    return new Page(
        TITLE,
        String.format(
            Locale.ROOT,
            "%s, %,d users, %,d items, %,d positives; %d %s. Beyond %.2f deviations, which chance"
                + " exceeds once in a thousand times, an excess is taken for more.",
            ProtocolStudy.DATA,
            shape.users(),
            shape.items(),
            positives,
            seeds,
            seeds == 1 ? "seed" : "seeds",
            LIMIT),
        List.of(
            new Page.Section("Protocols", List.of(table)),
            new Page.Section("Round by round", List.of(chart.lines()))),
        "PECF");
  }

  private static String fixed(double value) {
    return String.format(Locale.ROOT, "%.4f", value);
  }

  private String text(LineChart chart) {
    StringBuilder text = new StringBuilder();
    line(text, "# " + TITLE + "%n");
    line(
        text,
        "Data: %s, %,d users, %,d items, %,d positives; %s%n",
        ProtocolStudy.DATA,
        shape.users(),
        shape.items(),
        positives,
        seeds == 1 ? "1 seed." : seeds + " seeds, each with noise of its own: means over them.");
    line(
        text,
        "Trained: %s; path %s.%n",
        Identity.ensemble(request),
        Choices.nameOf(request.compute().path()));
    line(
        text,
        "Chance is exact: the mean over users of hypergeometric hits, with the interval that holds"
            + " 95 %% of what chance gives. The excess is counted in standard deviations of chance;"
            + " beyond %.2f, which chance exceeds once in a thousand times, it is taken for"
            + " more.%n",
        LIMIT);
    line(
        text,
        "| protocol | chance | Recall@%d, one member | Recall@%d, all members | / chance | excess |"
            + " verdict |%n|---|---:|---:|---:|---:|---:|---|",
        cutoff,
        cutoff);
    for (ProtocolResult result : results.values()) {
      line(
          text,
          "| %s: `%s` | %.4f ± %.4f | %.4f | %.4f | %.2f | %+.1f | %s |",
          result.protocol().label(),
          result.protocol().options(),
          result.chance().mean(),
          result.chance().halfWidth(),
          result.recall(0).mean(),
          result.recall().mean(),
          result.ratio(result.prefixes() - 1),
          result.excess(),
          verdict(result.excess()));
    }
    line(
        text,
        "%nA model that remembers which zeros it was trained on, and nothing else, reaches %.4f on"
            + " average where they are ranked: %.2f times chance.%n",
        memoriser.mean(),
        bound());
    line(text, "## %s%n%n![%s](%s)%n", chart.title(), chart.title(), FIGURE);
    return text.append(chart.table()).toString();
  }

  private static String verdict(double excess) {
    return Math.abs(excess) <= LIMIT ? "chance" : excess > 0 ? "above chance" : "below chance";
  }

  /** Return how many times chance the memoriser reaches. */
  private double bound() {
    return memoriser.mean()
        / Objects.requireNonNull(results.get(Protocol.TRAINED_ZEROS)).chance().mean();
  }

  private LineChart chart() {
    List<Series> series = new ArrayList<>();
    int last = 0;
    for (ProtocolResult result : results.values()) {
      List<Point> points = new ArrayList<>();
      for (int prefix = 0; prefix < result.prefixes(); prefix++) {
        points.add(new Point(prefix, result.ratio(prefix)));
      }
      series.add(new Series(result.protocol().label(), points));
      last = Math.max(last, result.prefixes() - 1);
    }
    series.add(level("memory of trained zeros alone", last, bound()));
    series.add(level("chance", last, 1));
    String rank = request.ensemble().filters().get(0).options().get("rank");
    return new LineChart(
        String.format(
            Locale.ROOT,
            "Pure noise (%s), test part: Recall@%d as a multiple of chance",
            ProtocolStudy.DATA,
            cutoff),
        "members added to the first, of rank " + rank + " each",
        "Recall@" + cutoff + " / chance",
        series);
  }

  private static Series level(String name, int last, double height) {
    return new Series(name, List.of(new Point(0, height), new Point(last, height)));
  }

  /** The outcome as protocols.json holds it. */
  private record Json(
      DataJson data,
      String trained,
      ComputationPath path,
      long seed,
      int seeds,
      int cutoff,
      Map<String, ResultJson> protocols,
      Chance memoriser) {}

  private record DataJson(String name, int users, int items, long positives) {}

  /**
   * The outcome under one protocol.
   *
   * @param recall that of the first member, of the first two, and so on
   */
  private record ResultJson(
      SplitRule split,
      CandidatePolicy candidates,
      Chance chance,
      List<Estimate> recall,
      double excess) {
    static ResultJson of(ProtocolResult result) {
      return new ResultJson(
          result.protocol().split(),
          result.protocol().candidates(),
          result.chance(),
          IntStream.range(0, result.prefixes()).mapToObj(result::recall).toList(),
          result.excess());
    }
  }

  private Json json() {
    Map<String, ResultJson> protocols = new LinkedHashMap<>();
    results.forEach((protocol, result) -> protocols.put(protocol.id(), ResultJson.of(result)));
    return new Json(
        new DataJson(ProtocolStudy.DATA, shape.users(), shape.items(), positives),
        Identity.ensemble(request),
        request.compute().path(),
        request.seed(),
        seeds,
        cutoff,
        protocols,
        memoriser);
  }

  private static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format + "%n", values).replace("\r\n", "\n"));
  }
}
