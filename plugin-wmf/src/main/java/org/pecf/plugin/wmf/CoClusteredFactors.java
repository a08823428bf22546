package org.pecf.plugin.wmf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.memory.ArrowBuf;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.FilterCapability;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.SparseCells;
import org.pecf.plugin.wmf.LocalFactors.Locality;

/**
 * Co-clustering with a filter for each cluster (CCCF, Wu et al. 2016): overlapping clusters of
 * users and items, a factorisation of the cells of each cluster, and as the score of a cell the sum
 * over the clusters that hold both its user and its item, each counted by how much of the user
 * belongs to it.
 */
final class CoClusteredFactors implements BaseFilter {
  private final CccfProvider.Options options;
  private final LocalFactors factors;

  CoClusteredFactors(CccfProvider.Options options) {
    this.options = options;
    this.factors = new LocalFactors(CccfProvider.ID, options.factorisation());
  }

  @Override
  public Set<FilterCapability> capabilities() {
    return EnumSet.of(
        FilterCapability.ANY_TARGET, FilterCapability.CELL_WEIGHTS, FilterCapability.DETERMINISTIC);
  }

  @Override
  public long memoryEstimate(GridShape shape, int positives) {
    long counts = (long) (shape.users() + shape.items()) * options.clusters() * Integer.BYTES;
    return factors.memoryEstimate(shape, options.clusters())
        + 2 * counts
        + 4L * positives * Integer.BYTES;
  }

  @Override
  public ScoreModel train(TrainingTask task, TrainingContext context) {
    return factors.train(parts(clusters(task, context)), task, context);
  }

  private CoClusters clusters(TrainingTask task, TrainingContext context) {
    SparseCells cells = task.positives();
    int[] users = new int[cells.count()];
    int[] items = new int[cells.count()];
    int count = 0;
    try (ArrowBuf weights =
        context.run().allocator().buffer(Math.max(1L, (long) cells.count() * Float.BYTES))) {
      context.compute().fields().gather(task.weights(), cells, weights);
      for (int user = 0; user < cells.users(); user++) {
        for (int k = cells.userStart(user); k < cells.userStart(user + 1); k++) {
          if (weights.getFloat((long) k * Float.BYTES) > 0) {
            users[count] = user;
            items[count++] = cells.itemAt(k);
          }
        }
      }
    }
    CoClusters clusters =
        new CoClusters(
            task.shape(),
            Arrays.copyOf(users, count),
            Arrays.copyOf(items, count),
            options.clusters(),
            options.prior(),
            context.seed().child("start"));
    clusters.sweep(options.sweeps(), context.seed().child("sweeps"), context.run().cancellation());
    return clusters;
  }

  /** Return the clusters that hold users and items; the whole grid if there is none. */
  private List<LocalFactors.Part> parts(CoClusters clusters) {
    float[][] users = members(clusters.users());
    float[][] items = members(clusters.items());
    float[][] shares = new Anchors(users).normalised().nearness();
    List<LocalFactors.Part> parts = new ArrayList<>();
    for (int k = 0; k < users.length; k++) {
      Locality cells = new Locality(ones(users[k]), ones(items[k]));
      if (cells.share() > 0) {
        parts.add(new LocalFactors.Part(cells, new Locality(shares[k], cells.items())));
      }
    }
    if (parts.isEmpty()) {
      Locality all = new Locality(filled(users[0].length), filled(items[0].length));
      parts.add(new LocalFactors.Part(all, all));
    }
    return parts;
  }

  /** Set to zero what is below the threshold, but for the strongest cluster of every row. */
  private float[][] members(float[][] strengths) {
    float[][] members = new float[strengths.length][strengths[0].length];
    for (int row = 0; row < members[0].length; row++) {
      int strongest = 0;
      for (int k = 0; k < members.length; k++) {
        strongest = strengths[k][row] > strengths[strongest][row] ? k : strongest;
        members[k][row] = strengths[k][row] >= options.threshold() ? strengths[k][row] : 0;
      }
      members[strongest][row] = strengths[strongest][row];
    }
    return members;
  }

  private static float[] ones(float[] strengths) {
    float[] ones = new float[strengths.length];
    for (int row = 0; row < ones.length; row++) {
      ones[row] = strengths[row] > 0 ? 1 : 0;
    }
    return ones;
  }

  private static float[] filled(int length) {
    float[] ones = new float[length];
    Arrays.fill(ones, 1);
    return ones;
  }
}
