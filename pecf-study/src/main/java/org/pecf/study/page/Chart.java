package org.pecf.study.page;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A chart, with a table of its values behind it. */
public sealed interface Chart extends Page.Block {
  /** Return the words above the chart. */
  String title();

  /** Return an explanation below the title; may be empty. */
  String note();

  /** Return the name by which the script knows charts of this kind. */
  String kind();

  /** Return the values as a table. */
  Table table();

  /**
   * A series of points.
   *
   * @param name its name in the legend
   * @param points pairs of x and y
   */
  record Series(String name, List<double[]> points) {
    public Series {
      points = List.copyOf(points);
    }
  }

  /**
   * A chart of bars, or a histogram if they touch, perhaps with a curve over them that has an axis
   * of its own.
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
  record Bars(
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
  record Lines(
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
  record Points(
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
          String place =
              categories.isEmpty() ? Figure.of(point[0]) : categories.get((int) point[0]);
          rows.add(List.of(one.name(), place, Figure.of(point[1])));
        }
      }
      return Table.ofFigures(title, List.of("series", xName, yName), rows);
    }
  }

  /**
   * A matrix in shades of one colour.
   *
   * @param title the words above the chart
   * @param note an explanation; may be empty
   * @param name the name of the values
   * @param rows the names of the rows
   * @param columns the names of the columns
   * @param values one row after the other
   * @param low the value without colour
   * @param high the value of full colour
   */
  record HeatMap(
      String title,
      String note,
      String name,
      List<String> rows,
      List<String> columns,
      double[][] values,
      double low,
      double high)
      implements Chart {
    public HeatMap {
      rows = List.copyOf(rows);
      columns = List.copyOf(columns);
    }

    @Override
    public String kind() {
      return "heat";
    }

    @Override
    @JsonIgnore
    public Table table() {
      List<String> heads = new ArrayList<>(List.of(name));
      heads.addAll(columns);
      List<List<String>> lines = new ArrayList<>();
      for (int i = 0; i < rows.size(); i++) {
        List<String> line = new ArrayList<>(List.of(rows.get(i)));
        for (double value : values[i]) {
          line.add(Figure.of(value));
        }
        lines.add(line);
      }
      return Table.ofFigures(title, heads, lines);
    }
  }
}
