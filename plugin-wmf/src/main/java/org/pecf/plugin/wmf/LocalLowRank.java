package org.pecf.plugin.wmf;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.FilterCapability;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.SparseCells;
import org.pecf.plugin.wmf.LocalFactors.Locality;

/**
 * Local low-rank approximation (LLORMA, Lee et al. 2013): a factorisation around every pair of a
 * user anchor and an item anchor, in which cells count by how near they are, and the mean of the
 * factorisations, weighed by the same nearness, as the score of a cell.
 *
 * <p>The authors draw pairs; here all pairs of some anchors of either side are taken. The sum by
 * which the weights of the mean are divided is then the product of a sum over user anchors and one
 * over item anchors, so that the mean is a factor model.
 */
final class LocalLowRank implements BaseFilter {
  private final LlormaProvider.Options options;
  private final LocalFactors factors;

  LocalLowRank(LlormaProvider.Options options) {
    this.options = options;
    this.factors = new LocalFactors(LlormaProvider.ID, options.factorisation());
  }

  @Override
  public Set<FilterCapability> capabilities() {
    return EnumSet.of(
        FilterCapability.ANY_TARGET, FilterCapability.CELL_WEIGHTS, FilterCapability.DETERMINISTIC);
  }

  @Override
  public long memoryEstimate(GridShape shape, int positives) {
    return factors.memoryEstimate(shape, options.anchors() * options.anchors());
  }

  @Override
  public ScoreModel train(TrainingTask task, TrainingContext context) {
    try (FactorModel whole = factors.trainWhole(task, context)) {
      SparseCells cells = task.positives();
      Anchors users = anchors("user", whole.users(), usersOf(cells), context);
      Anchors items = anchors("item", whole.items(), itemsOf(cells), context);
      return factors.train(parts(users, items), task, context);
    }
  }

  private Anchors anchors(
      String side, FloatMatrix rows, int[] candidates, TrainingContext context) {
    int[] all = candidates.length > 0 ? candidates : IntStream.range(0, rows.rows()).toArray();
    int[] drawn = Anchors.draw(all, options.anchors(), context.seed().child("anchor-" + side));
    return Anchors.of(drawn, rows, options.bandwidth());
  }

  /** Return all pairs of anchors. */
  private static List<LocalFactors.Part> parts(Anchors users, Anchors items) {
    float[][] userShares = users.normalised().nearness();
    float[][] itemShares = items.normalised().nearness();
    List<LocalFactors.Part> parts = new ArrayList<>();
    for (int s = 0; s < userShares.length; s++) {
      for (int t = 0; t < itemShares.length; t++) {
        parts.add(
            new LocalFactors.Part(
                new Locality(users.nearness()[s], items.nearness()[t]),
                new Locality(userShares[s], itemShares[t])));
      }
    }
    return parts;
  }

  private static int[] usersOf(SparseCells cells) {
    return IntStream.range(0, cells.count()).map(cells::userAt).toArray();
  }

  private static int[] itemsOf(SparseCells cells) {
    return IntStream.range(0, cells.count()).map(cells::itemAt).toArray();
  }
}
