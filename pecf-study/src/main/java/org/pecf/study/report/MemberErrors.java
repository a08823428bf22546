package org.pecf.study.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.SparseCells;
import org.pecf.engine.ensemble.Ensemble;
import org.pecf.engine.ensemble.WeightRule;
import org.pecf.study.page.Chart.Bars;
import org.pecf.study.page.Chart.HeatMap;
import org.pecf.study.page.Page.Block;

/** The errors of an ensemble and of its members on a sample of training cells. */
final class MemberErrors {
  private static final int BINS = 41;
  private static final int LIST = 50;
  private static final int MOST_USERS = 40;

  /** The most products of factors that the overlap of lists may cost. */
  private static final double MOST_PRODUCTS = 1e9;

  private final Ensemble ensemble;
  private final SparseCells training;
  private final CellSample cells;
  private final double[][] errors;
  private final double[] whole;

  /**
   * Some training cells of a grid: positives and zeros, each kind drawn with equal probability.
   *
   * @param users the user of each cell, positives first
   * @param items the item of each cell
   * @param positives the number of positives among them
   * @param positiveShare how many training positives each positive stands for
   * @param zeroShare how many zeros each zero stands for
   */
  private record CellSample(
      int[] users, int[] items, int positives, double positiveShare, double zeroShare) {
    private static final int MOST_POSITIVES = 10_000;
    private static final int ZEROS = 20_000;

    /** Draw cells, the same ones for the same training positives. */
    static CellSample of(SparseCells training) {
      SplittableRandom random = new SplittableRandom(1);
      int positives = Math.min(training.count(), MOST_POSITIVES);
      long cells = (long) training.users() * training.items();
      int zeros = (int) Math.min(ZEROS, cells - training.count());
      int[] users = new int[positives + zeros];
      int[] items = new int[positives + zeros];
      for (int k = 0; k < positives; k++) {
        int position = (int) ((long) k * training.count() / positives);
        users[k] = userAt(training, position);
        items[k] = training.itemAt(position);
      }
      for (int k = positives; k < positives + zeros; ) {
        int user = random.nextInt(training.users());
        int item = random.nextInt(training.items());
        if (!training.contains(user, item)) {
          users[k] = user;
          items[k] = item;
          k++;
        }
      }
      return new CellSample(
          users,
          items,
          positives,
          positives == 0 ? 0 : training.count() / (double) positives,
          zeros == 0 ? 0 : (cells - training.count()) / (double) zeros);
    }

    private static int userAt(SparseCells cells, int position) {
      int low = 0;
      int high = cells.users() - 1;
      while (low < high) {
        int middle = (low + high + 1) >>> 1;
        if (cells.userStart(middle) <= position) {
          low = middle;
        } else {
          high = middle - 1;
        }
      }
      return low;
    }

    int size() {
      return users.length;
    }

    double rating(int cell) {
      return cell < positives ? 1 : 0;
    }

    /** Return how many cells of the grid a cell stands for. */
    double share(int cell) {
      return cell < positives ? positiveShare : zeroShare;
    }
  }

  MemberErrors(Ensemble ensemble, SparseCells training) {
    this.ensemble = ensemble;
    this.training = training;
    this.cells = CellSample.of(training);
    double[] weights = ensemble.weights();
    this.errors = new double[weights.length][cells.size()];
    this.whole = new double[cells.size()];
    for (int cell = 0; cell < cells.size(); cell++) {
      double prediction = 0;
      for (int k = 0; k < weights.length; k++) {
        double score =
            ensemble.members().get(k).model().scoreAt(cells.users()[cell], cells.items()[cell]);
        errors[k][cell] = cells.rating(cell) - score;
        prediction += weights[k] * score;
      }
      whole[cell] = cells.rating(cell) - prediction;
    }
  }

  /** Return the histogram of the ensemble's errors, under the weights that the last member had. */
  Bars histogram() {
    double low = Math.min(-0.5, Arrays.stream(whole).min().orElse(0));
    double high = Math.max(1, Arrays.stream(whole).max().orElse(0));
    double width = (high - low) / BINS;
    double[] zeros = new double[BINS];
    double[] positives = new double[BINS];
    for (int cell = 0; cell < whole.length; cell++) {
      int bin = Math.min(BINS - 1, (int) ((whole[cell] - low) / width));
      (cells.rating(cell) > 0 ? positives : zeros)[bin] += cells.share(cell);
    }
    List<String> names = new ArrayList<>();
    double[] rho = new double[BINS];
    WeightRule.Posterior rule = rule();
    for (int bin = 0; bin < BINS; bin++) {
      double middle = low + (bin + 0.5) * width;
      names.add(String.format(Locale.ROOT, "%.2f", middle));
      rho[bin] = rule == null ? 1 : rule.function().value(new float[] {(float) middle});
    }
    return new Bars(
        "Errors of the ensemble, and the weight they get",
        rule == null
            ? "Rating minus prediction on training cells, from a sample; no member was re-weighted"
                + " by errors, so every cell keeps its weight."
            : "Rating minus prediction on training cells, from a sample. The curve is the factor by"
                + " which the weighting multiplies a cell of that error for the next member.",
        "error",
        "cells",
        true,
        true,
        names,
        List.of(new Bars.Group("zeros", zeros), new Bars.Group("positives", positives)),
        new Bars.Curve("factor of the weight", rho));
  }

  private WeightRule.@Nullable Posterior rule() {
    for (int k = ensemble.size() - 1; k >= 0; k--) {
      var fit = ensemble.members().get(k).fit();
      if (fit.isPresent() && fit.get().weights() instanceof WeightRule.Posterior posterior) {
        return posterior;
      }
    }
    return null;
  }

  private List<String> names() {
    return IntStream.rangeClosed(1, ensemble.size()).mapToObj(k -> "member " + k).toList();
  }

  /** Return charts of how members complement each other; none for a single member. */
  List<Block> complementarity() {
    if (ensemble.size() < 2) {
      return List.of();
    }
    return List.of(
        new HeatMap(
            "Correlation of the members' errors",
            "On the same sample of training cells, each cell counted for as many as it stands for."
                + " The lower, the more members complement each other.",
            "correlation",
            names(),
            names(),
            correlations(),
            0,
            1),
        overlap());
  }

  private double[][] correlations() {
    int members = ensemble.size();
    double[][] found = new double[members][members];
    for (int i = 0; i < members; i++) {
      for (int j = 0; j <= i; j++) {
        found[i][j] = i == j ? 1 : correlation(errors[i], errors[j]);
        found[j][i] = found[i][j];
      }
    }
    return found;
  }

  /** Return {@code cov(x, y) / sqrt(var(x) var(y))}, weighted by shares; 0 without variance. */
  private double correlation(double[] x, double[] y) {
    double total = 0;
    double meanX = 0;
    double meanY = 0;
    for (int cell = 0; cell < x.length; cell++) {
      total += cells.share(cell);
      meanX += cells.share(cell) * x[cell];
      meanY += cells.share(cell) * y[cell];
    }
    meanX /= total;
    meanY /= total;
    double covariance = 0;
    double varianceX = 0;
    double varianceY = 0;
    for (int cell = 0; cell < x.length; cell++) {
      double share = cells.share(cell);
      covariance += share * (x[cell] - meanX) * (y[cell] - meanY);
      varianceX += share * (x[cell] - meanX) * (x[cell] - meanX);
      varianceY += share * (y[cell] - meanY) * (y[cell] - meanY);
    }
    double product = varianceX * varianceY;
    return product > 0 ? covariance / Math.sqrt(product) : 0;
  }

  private HeatMap overlap() {
    int members = ensemble.size();
    int[] users = users();
    double[][] shared = new double[members][members];
    for (int user : users) {
      List<BitSet> lists =
          ensemble.members().stream().map(member -> best(member.model(), user)).toList();
      for (int i = 0; i < members; i++) {
        for (int j = 0; j < members; j++) {
          BitSet both = (BitSet) lists.get(i).clone();
          both.and(lists.get(j));
          shared[i][j] +=
              both.cardinality() / (double) Math.max(1, lists.get(i).cardinality()) / users.length;
        }
      }
    }
    return new HeatMap(
        "Overlap of the members' best " + LIST + " items",
        "Share of items that two members both recommend, over " + users.length + " users.",
        "share",
        names(),
        names(),
        shared,
        0,
        1);
  }

  private int[] users() {
    double products =
        ensemble.members().stream()
                .mapToDouble(
                    member -> member.model() instanceof FactorModel factors ? factors.rank() : 50)
                .sum()
            * training.items();
    int count =
        (int)
            Math.max(1, Math.min(Math.min(MOST_USERS, training.users()), MOST_PRODUCTS / products));
    return new SplittableRandom(2).ints(0, training.users()).distinct().limit(count).toArray();
  }

  private BitSet best(ScoreModel model, int user) {
    float[] scores = new float[training.items()];
    model.scoreRow(user, scores);
    for (int k = training.userStart(user); k < training.userStart(user + 1); k++) {
      scores[training.itemAt(k)] = Float.NEGATIVE_INFINITY;
    }
    BitSet best = new BitSet();
    IntStream.range(0, scores.length)
        .boxed()
        .sorted(Comparator.comparingDouble(item -> -scores[item]))
        .limit(LIST)
        .forEach(best::set);
    return best;
  }
}
