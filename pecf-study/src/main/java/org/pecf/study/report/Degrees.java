package org.pecf.study.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.pecf.study.page.Chart;
import org.pecf.study.page.Chart.Bars;
import org.pecf.study.page.Chart.Lines;

/** The numbers of positives of all users, or of all items. */
final class Degrees {
  private static final int CURVE_POINTS = 40;

  private final int[] ascending;

  Degrees(int count, IntUnaryOperator degree) {
    this.ascending = IntStream.range(0, count).map(degree).sorted().toArray();
  }

  int least() {
    return ascending.length == 0 ? 0 : ascending[0];
  }

  int median() {
    return ascending.length == 0 ? 0 : ascending[ascending.length / 2];
  }

  int most() {
    return ascending.length == 0 ? 0 : ascending[ascending.length - 1];
  }

  double mean() {
    return Arrays.stream(ascending).average().orElse(0);
  }

  /** Return bounds that divide the rows with positives into groups of about equal number. */
  int[] bounds(int groups) {
    int[] some = Arrays.stream(ascending).filter(degree -> degree > 0).toArray();
    return IntStream.range(1, groups)
        .map(k -> some.length == 0 ? 0 : some[(int) ((long) k * some.length / groups)])
        .distinct()
        .toArray();
  }

  /** Return the group of a degree by its bounds. */
  static int group(int degree, int[] bounds) {
    int group = 0;
    while (group < bounds.length && degree >= bounds[group]) {
      group++;
    }
    return group;
  }

  /** Return the names of groups. */
  static List<String> names(int[] bounds, int most) {
    List<String> names = new ArrayList<>();
    int from = 0;
    for (int bound : bounds) {
      names.add(range(from, bound - 1));
      from = bound;
    }
    names.add(range(from, Math.max(from, most)));
    return names;
  }

  private static String range(int from, int to) {
    return from == to ? "" + from : from + " to " + to;
  }

  /** Return a histogram whose classes double in width. */
  Chart histogram(String title, String rows) {
    List<String> names = new ArrayList<>();
    List<Double> counts = new ArrayList<>();
    if (least() == 0) {
      names.add("0");
      counts.add((double) Arrays.stream(ascending).filter(degree -> degree == 0).count());
    }
    for (long from = 1; from <= Math.max(1, most()); from *= 2) {
      long low = from;
      long high = 2 * from - 1;
      names.add(low == high ? "" + low : low + "–" + high);
      counts.add(
          (double)
              Arrays.stream(ascending).filter(degree -> degree >= low && degree <= high).count());
    }
    return new Bars(
        title,
        "",
        "positives",
        rows,
        false,
        true,
        names,
        List.of(new Bars.Group(rows, counts.stream().mapToDouble(Double::doubleValue).toArray())),
        null);
  }

  /** Return the share of all positives that belongs to the rows with the most. */
  Chart.Series tail(String name) {
    double all = Math.max(1, Arrays.stream(ascending).asLongStream().sum());
    List<double[]> points = new ArrayList<>();
    long sum = 0;
    int step = Math.max(1, ascending.length / CURVE_POINTS);
    points.add(new double[] {0, 0});
    for (int k = 0; k < ascending.length; k++) {
      sum += ascending[ascending.length - 1 - k];
      if ((k + 1) % step == 0 || k == ascending.length - 1) {
        points.add(new double[] {100.0 * (k + 1) / ascending.length, 100 * sum / all});
      }
    }
    return new Chart.Series(name, points);
  }

  static Chart longTail(Degrees users, Degrees items) {
    return Lines.of(
        "The long tail",
        "A straight line would mean that all have equally many.",
        "% of users or items, largest first",
        "% of all positives",
        List.of(items.tail("items"), users.tail("users")));
  }
}
