package org.pecf.study.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.pecf.api.data.Part;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.SparseCells;
import org.pecf.data.split.Split;
import org.pecf.engine.ensemble.Ensemble;
import org.pecf.engine.ensemble.MemberFit;
import org.pecf.engine.ensemble.WeightRule;
import org.pecf.page.Table;

/** The weights that cells had in the training of members, on a sample of training cells. */
final class CellWeights {
  private static final int ZEROS = 200_000;
  private static final int QUARTERS = 4;

  /** The shares of zeros below each band, by their score. */
  private static final double[] BANDS = {0, 0.9, 0.99, 0.999, 1};

  private final Ensemble ensemble;
  private final Split split;
  private final SparseCells training;
  private final CellSample cells;
  private final double[] plain;
  private final double[][] scores;

  CellWeights(Ensemble ensemble, Split split) {
    this.ensemble = ensemble;
    this.split = split;
    this.training = split.training();
    this.cells = CellSample.of(training, ZEROS);
    CellField confidence = fit(0).confidence().weights(training);
    this.plain = new double[cells.size()];
    Arrays.setAll(
        plain,
        cell -> cells.share(cell) * confidence.valueAt(cells.users()[cell], cells.items()[cell]));
    this.scores = new double[ensemble.size()][cells.size()];
    for (int k = 0; k < scores.length; k++) {
      for (int cell = 0; cell < cells.size(); cell++) {
        scores[k][cell] =
            ensemble.members().get(k).model().scoreAt(cells.users()[cell], cells.items()[cell]);
      }
    }
  }

  private MemberFit fit(int member) {
    return ensemble.members().get(member).fit().orElseThrow();
  }

  /** Return the prediction from which the weights of a member came. */
  private double[] before(int member) {
    List<Double> weights = fit(member).before();
    double[] sum = new double[cells.size()];
    for (int k = 0; k < weights.size(); k++) {
      for (int cell = 0; cell < sum.length; cell++) {
        sum[cell] += weights.get(k) * scores[k][cell];
      }
    }
    return sum;
  }

  /** Return the factors by which the confidences were multiplied for a member. */
  private double[] factors(int member) {
    double[] factors = new double[cells.size()];
    if (fit(member).weights() instanceof WeightRule.Posterior rule) {
      double[] before = before(member);
      Arrays.setAll(
          factors,
          cell -> rule.function().value(new float[] {(float) (cells.rating(cell) - before[cell])}));
    } else {
      Arrays.fill(factors, 1);
    }
    return factors;
  }

  /** Return how the factors spread over positives and over zeros, member by member. */
  Table rounds() {
    List<List<String>> rows = new ArrayList<>();
    int[] positives = IntStream.range(0, cells.positives()).toArray();
    int[] zeros = IntStream.range(cells.positives(), cells.size()).toArray();
    for (int member = 0; member < ensemble.size(); member++) {
      double[] factors = factors(member);
      double held = total(positives, factors);
      rows.add(
          List.of(
              "" + (member + 1),
              quantiles(positives, factors, 0.1, 0.5, 0.9),
              quantiles(zeros, factors, 0.5, 0.99, 0.999),
              percent(held / (held + total(zeros, factors)))));
    }
    return Table.of(
        "The factor of weights, member by member",
        List.of(
            "member",
            "positives: 10 %, 50 %, 90 %",
            "zeros: 50 %, 99 %, 99.9 %",
            "share of all weight on positives"),
        rows);
  }

  private double total(int[] some, double[] factors) {
    return Arrays.stream(some).mapToDouble(cell -> plain[cell] * factors[cell]).sum();
  }

  private static String quantiles(int[] some, double[] values, double... shares) {
    double[] sorted = Arrays.stream(some).mapToDouble(cell -> values[cell]).sorted().toArray();
    return sorted.length == 0
        ? "–"
        : String.join(
            ", ",
            Arrays.stream(shares)
                .mapToObj(share -> two(sorted[(int) (share * (sorted.length - 1))]))
                .toList());
  }

  /** Return which cells the last member was told to look at: bands by prediction. */
  Table bands() {
    int last = ensemble.size() - 1;
    double[] before = before(last);
    double[] factors = factors(last);
    List<List<String>> rows = new ArrayList<>();
    int[] positives = byScore(before, cell -> cell < cells.positives());
    String[] quarters = {"worst", "second", "third", "best"};
    for (int k = 0; k < QUARTERS; k++) {
      int from = k * positives.length / QUARTERS;
      int to = (k + 1) * positives.length / QUARTERS;
      rows.add(
          band(
              "positives, " + quarters[k] + " predicted quarter",
              Arrays.copyOfRange(positives, from, to),
              before,
              factors));
    }
    int[] zeros = byScore(before, cell -> cell >= cells.positives());
    for (int k = 0; k + 1 < BANDS.length; k++) {
      rows.add(
          band(
              String.format(Locale.ROOT, "zeros, %s to %s %%", trim(BANDS[k]), trim(BANDS[k + 1])),
              Arrays.copyOfRange(
                  zeros, (int) (BANDS[k] * zeros.length), (int) (BANDS[k + 1] * zeros.length)),
              before,
              factors));
    }
    return Table.of(
        "Cells by the prediction that weighed them for the last member",
        List.of(
            "cells",
            "prediction",
            "factor",
            "share of all weight, plain",
            "re-weighted",
            "held-out positives among them",
            "positives of the item",
            "positives of the user"),
        rows);
  }

  private static String trim(double share) {
    String text = String.format(Locale.ROOT, "%.1f", 100 * share);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }

  /** Return the cells of a kind, those with the lowest score first. */
  private int[] byScore(double[] score, IntPredicate kind) {
    return IntStream.range(0, cells.size())
        .filter(kind)
        .boxed()
        .sorted(Comparator.comparingDouble((Integer cell) -> score[cell]))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private List<String> band(String name, int[] some, double[] before, double[] factors) {
    int[] all = IntStream.range(0, cells.size()).toArray();
    double[] ones = new double[cells.size()];
    Arrays.fill(ones, 1);
    return List.of(
        name,
        two(mean(some, cell -> before[cell])),
        two(mean(some, cell -> factors[cell])),
        percent(total(some, ones) / total(all, ones)),
        percent(total(some, factors) / total(all, factors)),
        some.length > 0 && some[0] >= cells.positives()
            ? percent(mean(some, cell -> heldOut(cell) ? 1 : 0))
            : "–",
        String.format(
            Locale.ROOT, "%.0f", mean(some, cell -> training.itemCount(cells.items()[cell]))),
        String.format(
            Locale.ROOT, "%.0f", mean(some, cell -> training.userCount(cells.users()[cell]))));
  }

  private boolean heldOut(int cell) {
    int user = cells.users()[cell];
    int item = cells.items()[cell];
    return split.part(Part.VALIDATION).positives().contains(user, item)
        || split.part(Part.TEST).positives().contains(user, item);
  }

  private static double mean(int[] some, IntToDoubleFunction value) {
    return Arrays.stream(some).mapToDouble(value).average().orElse(Double.NaN);
  }

  private static String two(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.2f %%", 100 * share);
  }
}
