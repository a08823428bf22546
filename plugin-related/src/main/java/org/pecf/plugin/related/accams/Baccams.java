package org.pecf.plugin.related.accams;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.FilterCapability;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.Side;
import org.pecf.api.run.Seed;
import org.pecf.api.run.TrainingStep;

/**
 * A sum of co-clusterings, {@code f_ij = sum_l T_l[c_l(i), d_l(j)]}, by Gibbs sampling of the
 * Bayesian model that {@link GibbsStencil} describes, with an inverse gamma prior on the noise
 * (bACCAMS).
 *
 * <p>A sweep draws the stencils one after the other, each given the others, then the noise. The
 * score is the mean of samples, each with the entries' means given its clusters in place of the
 * entries, which has the same expectation and less variance. A mean of sums is a longer sum: the
 * model has the clusters of all samples as factors, with the items' divided by the number of
 * samples.
 *
 * <p>The seats of a Chinese restaurant process depend on each other, so users and items are drawn
 * one at a time; the result is the same at any number of threads.
 */
final class Baccams implements BaseFilter {
  /** The initial number of clusters of a stencil, which sampling changes. */
  private static final int FIRST_CLUSTERS = 8;

  private final BaccamsProvider.Options options;

  Baccams(BaccamsProvider.Options options) {
    this.options = options;
  }

  @Override
  public Set<FilterCapability> capabilities() {
    return EnumSet.of(
        FilterCapability.ANY_TARGET, FilterCapability.CELL_WEIGHTS, FilterCapability.DETERMINISTIC);
  }

  @Override
  public long memoryEstimate(GridShape shape, int positives) {
    int rank =
        Math.multiplyExact(
            Math.multiplyExact(options.stencils(), options.clusters()), options.samples());
    return FloatMatrix.bytes(shape.users(), rank)
        + FloatMatrix.bytes(shape.items(), rank)
        + Observations.bytes(shape, options.negatives());
  }

  @Override
  public ScoreModel train(TrainingTask task, TrainingContext context) {
    context.run().cancellation().check();
    List<GibbsStencil> chain = new ArrayList<>();
    List<Stencil> samples = new ArrayList<>();
    try (Observations observations = Observations.sample(task, context, options.negatives())) {
      double weight = observations.totalWeight();
      double noise = firstNoise(observations.squares(context.run().parallelism()), weight);
      for (int sweep = 1; sweep <= options.sweeps(); sweep++) {
        Seed seed = context.seed().child("sweep", sweep);
        for (int l = 0; l < options.stencils(); l++) {
          if (sweep == 1) {
            chain.add(start(observations, context, l));
          } else {
            observations.add(1, chain.get(l).stencil(), context.run().parallelism());
          }
          chain
              .get(l)
              .sweep(noise, new Draws(seed.child("stencil", l)), context.run().cancellation());
          observations.add(-1, chain.get(l).stencil(), context.run().parallelism());
        }
        double squares = observations.squares(context.run().parallelism());
        noise = drawNoise(new Draws(seed.child("noise")), squares, weight);
        report(sweep, squares, weight, noise, chain, context);
        int kept = sweep - options.burnIn();
        if (kept > 0 && kept % options.spacing() == 0) {
          chain.forEach(stencil -> samples.add(stencil.expected()));
        }
      }
    }
    return Stencil.model(context.run().allocator(), task.shape(), samples, 1.0 / options.samples());
  }

  private GibbsStencil start(Observations observations, TrainingContext context, int l) {
    Stencil stencil =
        Stencil.blank(
            observations.count(Side.USERS), observations.count(Side.ITEMS), options.clusters());
    new StencilStart(observations, context.run().cancellation())
        .draw(
            stencil,
            Math.min(FIRST_CLUSTERS, options.clusters()),
            context.seed().child("start", l));
    return new GibbsStencil(observations, stencil, options.concentration(), options.deviation());
  }

  /** Return the noise that would explain everything, or that of the prior without any data. */
  private double firstNoise(double squares, double weight) {
    return weight > 0 && squares > 0
        ? squares / weight
        : options.noiseScale() / options.noiseShape();
  }

  /** Draw the variance of the noise: inverse gamma, given the residuals of all stencils. */
  private double drawNoise(Draws draws, double squares, double weight) {
    double drawn =
        (options.noiseScale() + squares / 2) / draws.gamma(options.noiseShape() + weight / 2);
    // A prior of almost no shape and no data can draw beyond what a double holds.
    return Math.min(1e100, Math.max(1e-100, drawn));
  }

  private void report(
      int sweep,
      double squares,
      double weight,
      double noise,
      List<GibbsStencil> chain,
      TrainingContext context) {
    Map<String, Double> measures = new LinkedHashMap<>();
    measures.put("error", weight > 0 ? squares / weight : 0);
    measures.put("noise", noise);
    for (Side side : Side.values()) {
      measures.put(
          (side == Side.USERS ? "user" : "item") + "-clusters",
          chain.stream().mapToInt(stencil -> stencil.occupied(side)).average().orElse(0));
    }
    context
        .run()
        .listener()
        .on(new TrainingStep(BaccamsProvider.ID, sweep, options.sweeps(), measures));
  }
}
