package org.pecf.study;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import org.pecf.page.Chart;
import org.pecf.page.Lines;

/**
 * A chart of lines over axes, as SVG. Lines differ by colour (a palette that colour-blind people
 * can tell apart), by the shape of their marks and by their dashes, so they can be told apart in
 * print too.
 *
 * @param title the title
 * @param xLabel the label of the horizontal axis
 * @param yLabel the label of the vertical axis
 * @param series the lines
 */
public record LineChart(String title, String xLabel, String yLabel, List<Series> series) {
  /**
   * One line.
   *
   * @param name its name in the legend
   * @param points its points, from left to right
   */
  public record Series(String name, List<Point> points) {
    public Series {
      points = List.copyOf(points);
    }
  }

  /** One point. */
  public record Point(double x, double y) {}

  private static final int HEIGHT = 440;
  private static final int LEFT = 78;

  /** Where the axes end and the legend begins. */
  private static final int RIGHT = 570;

  private static final int LEGEND = 190;

  /** How wide a character is, generously: fonts differ from viewer to viewer. */
  private static final double CHARACTER = 7.2;

  private static final double TITLE_CHARACTER = 9.2;

  /** Where the names in the legend begin, from its left. */
  private static final int NAMES = 58;

  private static final int MARGIN = 10;
  private static final int TOP = 48;
  private static final int BOTTOM = 62;
  private static final int MARKED = 40;

  /** The palette of Okabe and Ito, without yellow, which is too light for lines. */
  private static final String[] COLOURS = {
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"
  };

  private static final String[] DASHES = {"", "8 4", "2 3", "10 3 2 3", "5 2", "1 4", "12 4"};

  public LineChart {
    series = List.copyOf(series);
    if (series.stream().allMatch(line -> line.points().isEmpty())) {
      throw new IllegalArgumentException("a chart without points");
    }
  }

  /** Return the chart as the text of an SVG file. */
  public String svg() {
    Axis x = axis(Point::x);
    Axis y = axis(Point::y);
    StringBuilder svg = new StringBuilder();
    add(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
            + " font-family=\"sans-serif\" font-size=\"13\" role=\"img\">",
        width(),
        HEIGHT,
        width(),
        HEIGHT);
    add(svg, "<title>%s</title>", escape(title));
    add(svg, "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>");
    add(
        svg,
        "<text x=\"%d\" y=\"26\" font-size=\"16\" font-weight=\"bold\">%s</text>",
        LEFT,
        escape(title));
    axes(svg, x, y);
    for (int k = 0; k < series.size(); k++) {
      line(svg, k, x, y);
      legend(svg, k);
    }
    return svg.append("</svg>\n").toString();
  }

  /** Return the chart as a part of a page. */
  Lines lines() {
    return Lines.of(
        title,
        "",
        xLabel,
        yLabel,
        series.stream()
            .map(
                line ->
                    new Chart.Series(
                        line.name(),
                        line.points().stream()
                            .map(point -> new double[] {point.x(), point.y()})
                            .toList()))
            .toList());
  }

  /** Return the points as a table in Markdown: a row a place along x, a column a line. */
  public String table() {
    StringBuilder table = new StringBuilder("| " + xLabel);
    series.forEach(line -> table.append(" | ").append(line.name()));
    table.append(" |\n|---|").append("---:|".repeat(series.size())).append('\n');
    SortedSet<Double> places = new TreeSet<>();
    series.forEach(line -> line.points().forEach(point -> places.add(point.x())));
    for (double place : places) {
      table.append("| ").append(StudyPlan.plain(place));
      for (Series line : series) {
        table.append(" | ");
        line.points().stream()
            .filter(point -> point.x() == place)
            .findFirst()
            .ifPresent(point -> table.append(String.format(Locale.ROOT, "%.4f", point.y())));
      }
      table.append(" |\n");
    }
    return table.toString();
  }

  /** Return a width that neither the title nor a name in the legend goes beyond. */
  private int width() {
    int longest = series.stream().mapToInt(line -> line.name().length()).max().orElse(0);
    double legend = Math.max(LEGEND, NAMES + CHARACTER * longest + MARGIN);
    return (int)
        Math.ceil(Math.max(RIGHT + legend, LEFT + TITLE_CHARACTER * title.length() + MARGIN));
  }

  private Axis axis(ToDoubleFunction<Point> coordinate) {
    double[] values =
        series.stream()
            .flatMap(line -> line.points().stream())
            .mapToDouble(coordinate)
            .sorted()
            .toArray();
    boolean whole = Arrays.stream(values).allMatch(value -> value == Math.rint(value));
    return Axis.over(values[0], values[values.length - 1], whole ? 1 : 0);
  }

  private static double across(Axis x, double value) {
    return LEFT + x.share(value) * (RIGHT - LEFT);
  }

  private static double down(Axis y, double value) {
    return HEIGHT - BOTTOM - y.share(value) * (HEIGHT - TOP - BOTTOM);
  }

  private void axes(StringBuilder svg, Axis x, Axis y) {
    int bottom = HEIGHT - BOTTOM;
    add(svg, "<g stroke=\"#dddddd\">");
    for (double tick : y.ticks()) {
      double place = down(y, tick);
      add(svg, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>", LEFT, place, RIGHT, place);
    }
    add(svg, "</g>");
    add(svg, "<g stroke=\"#333333\">");
    add(svg, "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>", LEFT, bottom, RIGHT, bottom);
    add(svg, "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>", LEFT, TOP, LEFT, bottom);
    for (double tick : x.ticks()) {
      double place = across(x, tick);
      add(
          svg,
          "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>",
          place,
          bottom,
          place,
          bottom + 5);
    }
    add(svg, "</g>");
    add(svg, "<g fill=\"#333333\" text-anchor=\"middle\">");
    for (double tick : x.ticks()) {
      add(svg, "<text x=\"%.1f\" y=\"%d\">%s</text>", across(x, tick), bottom + 20, x.text(tick));
    }
    add(
        svg,
        "<text x=\"%.1f\" y=\"%d\">%s</text>",
        (LEFT + RIGHT) / 2.0,
        HEIGHT - 18,
        escape(xLabel));
    double middle = (TOP + bottom) / 2.0;
    add(
        svg,
        "<text transform=\"rotate(-90 20 %.1f)\" x=\"20\" y=\"%.1f\">%s</text>",
        middle,
        middle,
        escape(yLabel));
    add(svg, "</g>");
    add(svg, "<g fill=\"#333333\" text-anchor=\"end\">");
    for (double tick : y.ticks()) {
      add(svg, "<text x=\"%d\" y=\"%.1f\">%s</text>", LEFT - 8, down(y, tick) + 4.5, y.text(tick));
    }
    add(svg, "</g>");
  }

  private void line(StringBuilder svg, int k, Axis x, Axis y) {
    Series line = series.get(k);
    List<String> points = new ArrayList<>();
    for (Point point : line.points()) {
      points.add(String.format(Locale.ROOT, "%.1f,%.1f", across(x, point.x()), down(y, point.y())));
    }
    add(
        svg,
        "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s/>",
        String.join(" ", points),
        colour(k),
        dash(k));
    if (marked(line)) {
      for (Point point : line.points()) {
        String told =
            String.format(
                Locale.ROOT, "%s: %s, %s", line.name(), plain(point.x()), plain(point.y()));
        add(
            svg,
            "<g fill=\"%s\"><title>%s</title>%s</g>",
            colour(k),
            escape(told),
            mark(k, across(x, point.x()), down(y, point.y())));
      }
    }
  }

  private void legend(StringBuilder svg, int k) {
    int left = RIGHT + 16;
    int height = TOP + 10 + 22 * k;
    add(
        svg,
        "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"2\"%s/>",
        left,
        height,
        left + 34,
        height,
        colour(k),
        dash(k));
    if (marked(series.get(k))) {
      add(svg, "<g fill=\"%s\">%s</g>", colour(k), mark(k, left + 17, height));
    }
    add(
        svg,
        "<text x=\"%d\" y=\"%d\">%s</text>",
        RIGHT + NAMES,
        height + 4,
        escape(series.get(k).name()));
  }

  /** Return whether points are marked: not where they would touch. */
  private static boolean marked(Series line) {
    return line.points().size() <= MARKED;
  }

  private static String colour(int k) {
    return COLOURS[k % COLOURS.length];
  }

  private static String dash(int k) {
    String dash = DASHES[k % DASHES.length];
    return dash.isEmpty() ? "" : " stroke-dasharray=\"" + dash + "\"";
  }

  private static String mark(int k, double x, double y) {
    return switch (k % 4) {
      case 0 -> String.format(Locale.ROOT, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>", x, y);
      case 1 ->
          String.format(
              Locale.ROOT,
              "<rect x=\"%.1f\" y=\"%.1f\" width=\"7.5\" height=\"7.5\"/>",
              x - 3.75,
              y - 3.75);
      case 2 -> String.format(Locale.ROOT, "<path d=\"M %.1f %.1f l 5 8.5 h -10 z\"/>", x, y - 5.5);
      default ->
          String.format(Locale.ROOT, "<path d=\"M %.1f %.1f l 5 5 l -5 5 l -5 -5 z\"/>", x, y - 5);
    };
  }

  private static String plain(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e9
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%.5g", value);
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  private static void add(StringBuilder svg, String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  /** The ends of an axis and its ticks: multiples of 1, 2 or 5 powers of ten. */
  record Axis(double low, double high, double step) {
    private static final int TICKS = 7;

    /**
     * Return an axis that holds the values, and begins and ends at a tick.
     *
     * @param leastStep the least distance of ticks: 1 for counts
     */
    static Axis over(double least, double largest, double leastStep) {
      double low = least;
      double high = largest;
      if (high - low <= 1e-9 * Math.max(Math.abs(low), Math.abs(high))) {
        double margin = low == 0 ? 1 : 0.1 * Math.abs(low);
        low -= margin;
        high += margin;
      }
      double raw = (high - low) / TICKS;
      double power = Math.pow(10, Math.floor(Math.log10(raw)));
      double step = 10 * power;
      for (double factor : new double[] {1, 2, 5}) {
        if (raw <= factor * power) {
          step = factor * power;
          break;
        }
      }
      step = Math.max(step, leastStep);
      // A value at a tick, but for rounding, needs no further tick beyond it.
      double slack = 1e-9;
      return new Axis(
          step * Math.floor(low / step + slack), step * Math.ceil(high / step - slack), step);
    }

    /** Return how far along the axis a value is, from 0 to 1. */
    double share(double value) {
      return (value - low) / (high - low);
    }

    /** Return the ticks from the first to the last. */
    List<Double> ticks() {
      List<Double> ticks = new ArrayList<>();
      long count = Math.round((high - low) / step);
      for (long k = 0; k <= count; k++) {
        ticks.add((Math.round(low / step) + k) * step);
      }
      return ticks;
    }

    /** Return a tick as text with the decimals that the step needs. */
    String text(double tick) {
      int decimals = (int) Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
      return decimals > 6
          ? String.format(Locale.ROOT, "%.3g", tick)
          : String.format(Locale.ROOT, "%." + decimals + "f", tick == 0 ? 0.0 : tick);
    }
  }
}
