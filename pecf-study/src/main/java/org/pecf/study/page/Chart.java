package org.pecf.study.page;

import java.util.List;

/** A chart, with a table of its values behind it. */
public sealed interface Chart extends Block permits Bars, HeatMap, Lines, Points {
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
}
