package org.pecf.study.page;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A chart of bars, or a histogram if they touch, perhaps with a curve over them that has an axis of
 * its own.
 *
 * @param title the words above the chart
 * @param note an explanation; may be empty
 * @param xName the name of the categories
 * @param yName the name of the vertical axis
 * @param logarithmicY whether the vertical axis is logarithmic
 * @param touching whether bars touch each other
 * @param categories the categories
 * @param series the values of each category
 * @param curve a curve over the bars, if any
 */
public record Bars(
    String title,
    String note,
    String xName,
    String yName,
    boolean logarithmicY,
    boolean touching,
    List<String> categories,
    List<Group> series,
    @Nullable Curve curve)
    implements Chart {
  public Bars {
    categories = List.copyOf(categories);
    series = List.copyOf(series);
  }

  /**
   * Bars of one colour, one per category.
   *
   * @param name their name in the legend
   * @param values their heights
   * @param low the lower ends of whiskers, if there are whiskers
   * @param high the upper ends of whiskers, if there are whiskers
   */
  public record Group(
      String name, double[] values, double @Nullable [] low, double @Nullable [] high) {
    /** Make bars without whiskers. */
    public Group(String name, double[] values) {
      this(name, values, null, null);
    }
  }

  /**
   * A curve over the bars.
   *
   * @param name the name of its axis
   * @param values its value at each category
   */
  public record Curve(String name, double[] values) {}

  /** Make bars that do not touch. */
  public static Bars of(
      String title,
      String note,
      String xName,
      String yName,
      List<String> categories,
      List<Group> series) {
    return new Bars(title, note, xName, yName, false, false, categories, series, null);
  }

  @Override
  public String kind() {
    return "bars";
  }

  @Override
  @JsonIgnore
  public Table table() {
    List<String> heads = new ArrayList<>(List.of(xName));
    for (Group group : series) {
      heads.add(group.name());
      if (group.low() != null) {
        heads.addAll(List.of("from", "to"));
      }
    }
    if (curve != null) {
      heads.add(curve.name());
    }
    List<List<String>> rows = new ArrayList<>();
    for (int k = 0; k < categories.size(); k++) {
      List<String> row = new ArrayList<>(List.of(categories.get(k)));
      for (Group group : series) {
        row.add(Figure.of(group.values()[k]));
        double[] low = group.low();
        double[] high = group.high();
        if (low != null && high != null) {
          row.addAll(List.of(Figure.of(low[k]), Figure.of(high[k])));
        }
      }
      if (curve != null) {
        row.add(Figure.of(curve.values()[k]));
      }
      rows.add(row);
    }
    return Table.ofFigures(title, heads, rows);
  }
}
