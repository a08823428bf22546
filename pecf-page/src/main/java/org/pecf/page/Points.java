package org.pecf.page;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;

/**
 * A chart of points.
 *
 * @param title the words above the chart
 * @param note an explanation; may be empty
 * @param xName the name of the horizontal axis
 * @param yName the name of the vertical axis
 * @param logarithmicX whether the horizontal axis is logarithmic
 * @param series the points; those of the second series are drawn as triangles
 */
public record Points(
    String title,
    String note,
    String xName,
    String yName,
    boolean logarithmicX,
    List<Series> series)
    implements Chart {
  public Points {
    series = List.copyOf(series);
  }

  @Override
  public String kind() {
    return "points";
  }

  @Override
  @JsonIgnore
  public Table table() {
    return Table.of(
        title,
        List.of("series", xName, yName),
        series.stream()
            .flatMap(
                one ->
                    one.points().stream()
                        .map(
                            point -> List.of(one.name(), Figure.of(point[0]), Figure.of(point[1]))))
            .toList());
  }
}
