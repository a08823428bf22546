package org.pecf.study.page;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A chart of lines.
 *
 * @param title the words above the chart
 * @param note an explanation; may be empty
 * @param xName the name of the horizontal axis
 * @param yName the name of the vertical axis
 * @param logarithmicX whether the horizontal axis is logarithmic
 * @param logarithmicY whether the vertical axis is logarithmic
 * @param series the lines
 * @param mark a place on the horizontal axis to be marked, if any
 * @param markName the name of that place; may be empty
 */
public record Lines(
    String title,
    String note,
    String xName,
    String yName,
    boolean logarithmicX,
    boolean logarithmicY,
    List<Series> series,
    @Nullable Double mark,
    String markName)
    implements Chart {
  public Lines {
    series = List.copyOf(series);
  }

  /** Make a chart with linear axes and no mark. */
  public static Lines of(
      String title, String note, String xName, String yName, List<Series> series) {
    return new Lines(title, note, xName, yName, false, false, series, null, "");
  }

  /** Return the chart with a place marked. */
  public Lines marked(double place, String name) {
    return new Lines(title, note, xName, yName, logarithmicX, logarithmicY, series, place, name);
  }

  /** Return the chart with logarithmic axes. */
  public Lines logarithmic(boolean horizontal, boolean vertical) {
    return new Lines(title, note, xName, yName, horizontal, vertical, series, mark, markName);
  }

  @Override
  public String kind() {
    return "lines";
  }

  @Override
  @JsonIgnore
  public Table table() {
    TreeSet<Double> places = new TreeSet<>();
    series.forEach(line -> line.points().forEach(point -> places.add(point[0])));
    List<String> heads = new ArrayList<>(List.of(xName));
    series.forEach(line -> heads.add(line.name()));
    List<List<String>> rows = new ArrayList<>();
    for (double place : places) {
      List<String> row = new ArrayList<>(List.of(Figure.of(place)));
      for (Series line : series) {
        row.add(
            line.points().stream()
                .filter(point -> point[0] == place)
                .map(point -> Figure.of(point[1]))
                .findFirst()
                .orElse("–"));
      }
      rows.add(row);
    }
    return Table.ofFigures(title, heads, rows);
  }
}
