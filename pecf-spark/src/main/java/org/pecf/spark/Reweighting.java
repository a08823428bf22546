package org.pecf.spark;

import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.pecf.api.field.Posterior;
import org.pecf.api.field.ValueRange;
import org.pecf.api.memory.Side;
import org.pecf.backend.leastsquares.Background;

/**
 * The weights of cells by how badly the ensemble predicts them.
 *
 * <p>Positives are weighted one by one, and so are zeros whose score is beyond the bound that the
 * largest relative error of weights allows, if all cells are scanned for them. All other zeros
 * weigh as if they were predicted perfectly; {@link MemberReport#ignoredWeight} bounds the weight
 * that this ignores.
 */
final class Reweighting {
  private final TrainingCells grid;
  private final TrainingSettings settings;

  Reweighting(TrainingCells grid, TrainingSettings settings) {
    this.grid = grid;
    this.settings = settings;
  }

  /**
   * The cells of the next member.
   *
   * @param cells the cells
   * @param report how they were weighted
   */
  record Weighted(MemberCells cells, MemberReport report) {}

  /** Return the plain weights for the first member, then those of the weighting. */
  Weighted of(GrowingEnsemble ensemble) {
    if (ensemble.size() == 0 || !settings.construction().reweighs()) {
      return new Weighted(MemberCells.plain(grid, settings.zero()), MemberReport.plain());
    }
    return settings.hardZeros().scans(grid.cells()) ? scanned(ensemble) : ofPositives(ensemble);
  }

  private Weighted ofPositives(GrowingEnsemble ensemble) {
    PositiveScores scores = ensemble.prediction().orElseThrow();
    double[] sums = sums(MemberCells.scored(grid, scores, Side.USERS));
    double squares = zeroSquares(ensemble, sums);
    Weighting weighting = settings.weighting();
    // To the second order of predictions; no zero weighs more than 1.
    double zeros = settings.zero() * (grid.cells() - grid.positives());
    double weightOfZeros = Math.min(zeros, zeros * weighting.least() + weighting.slope() * squares);
    Posterior function = function(sums, weightOfZeros);
    return new Weighted(
        MemberCells.ofPositives(grid, background(function), scores, factors(function)),
        MemberReport.weighted(function, ignored(function, sums, squares)));
  }

  private Weighted scanned(GrowingEnsemble ensemble) {
    Weighting weighting = settings.weighting();
    Background bounds =
        weighting.background(settings.positive(), settings.zero(), settings.weightError());
    boolean summed = weighting.scaling() == Weighting.Scaling.MEAN;
    ScoreScan.Found found =
        ScoreScan.of(
            grid,
            ensemble.side(Side.USERS),
            ensemble.side(Side.ITEMS),
            new ScoreScan.Rules(
                settings.rank(),
                ensemble.steps(),
                bounds.scoreBound(),
                weighting.function(1),
                summed));
    double[] sums = sums(found.users());
    Posterior function = function(sums, settings.zero() * found.zeros());
    double squares = zeroSquares(ensemble, sums);
    return new Weighted(
        MemberCells.ofScan(grid, background(function), found, factors(function)),
        MemberReport.weighted(function, ignored(function, sums, squares))
            .scanned(
                bounds.scoreBound(),
                bounds.weightError(),
                (long) sum(sums, ScoredBlock.Sum.ZERO_COUNT)));
  }

  /** Return the sums over cells that are weighted one by one, with weights not scaled yet. */
  private double[] sums(JavaRDD<ScoredBlock> cells) {
    ScoredBlock.CellFactors raw = factors(settings.weighting().function(1));
    return GroupSums.ofRows("sums of weights", cells.map(block -> block.sums(raw)));
  }

  private static double sum(double[] sums, ScoredBlock.Sum kind) {
    return sums[kind.ordinal()];
  }

  private ScoredBlock.CellFactors factors(Posterior function) {
    return new ScoredBlock.CellFactors(function, settings.positive(), settings.zero());
  }

  /** Return the sum of the squared predictions of zeros of the background, times their weight. */
  private double zeroSquares(GrowingEnsemble ensemble, double[] sums) {
    return settings.zero() * Math.max(0, ensemble.squares() - sum(sums, ScoredBlock.Sum.SQUARES));
  }

  /**
   * Scale the weights.
   *
   * @param weightOfZeros the sum of the weights of all zeros, not scaled yet
   */
  private Posterior function(double[] sums, double weightOfZeros) {
    double plain =
        settings.positive() * (double) grid.positives()
            + settings.zero() * (grid.cells() - grid.positives());
    return settings
        .weighting()
        .function(
            settings
                .weighting()
                .scale(plain, sum(sums, ScoredBlock.Sum.POSITIVES) + weightOfZeros));
  }

  private double background(Posterior function) {
    return settings.zero() * function.range(List.of(new ValueRange(0, 0))).low();
  }

  /** Bound the share of all weight that is ignored because zeros of the background are alike. */
  private double ignored(Posterior function, double[] sums, double squares) {
    double exceptions = grid.positives() + sum(sums, ScoredBlock.Sum.ZERO_COUNT);
    double listed = sum(sums, ScoredBlock.Sum.POSITIVES) + sum(sums, ScoredBlock.Sum.ZEROS);
    double whole = function.scale() * listed + background(function) * (grid.cells() - exceptions);
    return settings.weighting().steepestChord() * function.scale() * squares / whole;
  }
}
