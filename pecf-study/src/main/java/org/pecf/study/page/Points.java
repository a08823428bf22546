package org.pecf.study.page;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.ArrayList;
import java.util.List;

/**
 * A chart of points.
 *
 * @param title the words above the chart
 * @param note an explanation; may be empty
 * @param xName the name of the horizontal axis
 * @param yName the name of the vertical axis
 * @param logarithmicX whether the horizontal axis is logarithmic
 * @param categories the names of the places 0, 1, … on the horizontal axis; empty if they are
 *     numbers
 * @param series the points; those of the second series are drawn as triangles
 */
public record Points(
    String title,
    String note,
    String xName,
    String yName,
    boolean logarithmicX,
    List<String> categories,
    List<Series> series)
    implements Chart {
  public Points {
    categories = List.copyOf(categories);
    series = List.copyOf(series);
  }

  @Override
  public String kind() {
    return "points";
  }

  @Override
  @JsonIgnore
  public Table table() {
    List<List<String>> rows = new ArrayList<>();
    for (Series one : series) {
      for (double[] point : one.points()) {
        String place = categories.isEmpty() ? Figure.of(point[0]) : categories.get((int) point[0]);
        rows.add(List.of(one.name(), place, Figure.of(point[1])));
      }
    }
    return Table.ofFigures(title, List.of("series", xName, yName), rows);
  }
}
