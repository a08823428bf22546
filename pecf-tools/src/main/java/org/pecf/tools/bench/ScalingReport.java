package org.pecf.tools.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.pecf.platform.file.OutputFile;
import org.pecf.study.LineChart;

/**
 * The growth of cost, as a table and as charts.
 *
 * @param points the measurements, dimension by dimension
 */
public record ScalingReport(List<ScalingPoint> points) {
  public ScalingReport {
    points = List.copyOf(points);
  }

  private Map<String, List<ScalingPoint>> byDimension() {
    Map<String, List<ScalingPoint>> groups = new LinkedHashMap<>();
    for (ScalingPoint point : points) {
      groups.computeIfAbsent(point.dimension(), name -> new ArrayList<>()).add(point);
    }
    return groups;
  }

  /**
   * Return the exponent p of {@code cost = constant * size^p} that fits best: the slope of a
   * straight line through the logarithms, by least squares.
   */
  static double exponent(List<ScalingPoint> points, ToDoubleFunction<ScalingPoint> cost) {
    double meanX = points.stream().mapToDouble(p -> Math.log(p.size())).average().orElse(0);
    double meanY =
        points.stream().mapToDouble(p -> Math.log(cost.applyAsDouble(p))).average().orElse(0);
    double above = 0;
    double below = 0;
    for (ScalingPoint point : points) {
      double x = Math.log(point.size()) - meanX;
      above += x * (Math.log(cost.applyAsDouble(point)) - meanY);
      below += x * x;
    }
    return below == 0 ? Double.NaN : above / below;
  }

  /** Return the lines of a table in Markdown, with a line of exponents after each dimension. */
  public List<String> table() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "| varied | size | plain sweep, CPU s | round, CPU s | round, wall s | ranking, CPU s |"
            + " memory, MB |");
    lines.add("|---|---|---|---|---|---|---|");
    byDimension()
        .forEach(
            (dimension, group) -> {
              for (ScalingPoint point : group) {
                lines.add(
                    String.format(
                        Locale.ROOT,
                        "| %s | %,d | %.3f | %.3f | %.3f | %.3f | %.0f |",
                        dimension,
                        point.size(),
                        point.sweepSeconds(),
                        point.roundSeconds(),
                        point.roundWallSeconds(),
                        point.rankingSeconds(),
                        point.memoryBytes() / 1e6));
              }
              if (group.size() > 1) {
                lines.add(
                    String.format(
                        Locale.ROOT,
                        "| | *exponent* | *%.2f* | *%.2f* | *%.2f* | *%.2f* | *%.2f* |",
                        exponent(group, ScalingPoint::sweepSeconds),
                        exponent(group, ScalingPoint::roundSeconds),
                        exponent(group, ScalingPoint::roundWallSeconds),
                        exponent(group, ScalingPoint::rankingSeconds),
                        exponent(group, ScalingPoint::memoryBytes)));
              }
            });
    return lines;
  }

  /** Write the table and two charts to a folder, which is made if it is missing. */
  public void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    OutputFile.at(folder.resolve("scaling.md"))
        .write(String.join(System.lineSeparator(), table()) + System.lineSeparator());
    OutputFile.at(folder.resolve("scaling-time.svg"))
        .write(
            chart("Processor time of a round", "times the first", ScalingPoint::roundSeconds)
                .svg());
    OutputFile.at(folder.resolve("scaling-memory.svg"))
        .write(chart("Off-heap memory", "times the first", ScalingPoint::memoryBytes).svg());
  }

  /** Draw cost against size, both relative to the first point of a dimension. */
  private LineChart chart(String title, String yLabel, ToDoubleFunction<ScalingPoint> cost) {
    List<LineChart.Series> series = new ArrayList<>();
    byDimension()
        .forEach(
            (dimension, group) -> {
              ScalingPoint first = group.get(0);
              series.add(
                  new LineChart.Series(
                      dimension,
                      group.stream()
                          .map(
                              point ->
                                  new LineChart.Point(
                                      (double) point.size() / first.size(),
                                      cost.applyAsDouble(point) / cost.applyAsDouble(first)))
                          .toList()));
            });
    return new LineChart(title, "size, times the first", yLabel, series);
  }
}
