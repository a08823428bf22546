package org.pecf.plugin.related.accams;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
 * A sum of co-clusterings, {@code f_ij = sum_l T_l[c_l(i), d_l(j)]}, that minimises {@code sum w_ij
 * (t_ij - f_ij)^2 + lambda sum_l |T_l|^2} over the observed cells: one stencil after the other is
 * fitted to the residuals of the others, in sweeps (ACCAMS).
 *
 * <p>No step raises the objective.
 */
final class Accams implements BaseFilter {
  private final AccamsProvider.Options options;

  Accams(AccamsProvider.Options options) {
    this.options = options;
  }

  @Override
  public Set<FilterCapability> capabilities() {
    return EnumSet.of(
        FilterCapability.ANY_TARGET, FilterCapability.CELL_WEIGHTS, FilterCapability.DETERMINISTIC);
  }

  @Override
  public long memoryEstimate(GridShape shape, int positives) {
    int rank = options.stencils() * options.clusters();
    return FloatMatrix.bytes(shape.users(), rank)
        + FloatMatrix.bytes(shape.items(), rank)
        + Observations.bytes(shape, options.negatives());
  }

  @Override
  public ScoreModel train(TrainingTask task, TrainingContext context) {
    context.run().cancellation().check();
    List<Stencil> stencils = new ArrayList<>();
    try (Observations observations = Observations.sample(task, context, options.negatives())) {
      double weight = observations.totalWeight();
      for (int sweep = 1; sweep <= options.iterations(); sweep++) {
        for (int l = 0; l < options.stencils(); l++) {
          context.run().cancellation().check();
          if (sweep == 1) {
            stencils.add(start(observations, context, context.seed().child("stencil", l)));
          } else {
            observations.add(1, stencils.get(l), context.run().parallelism());
            fit(observations, context, stencils.get(l));
          }
          observations.add(-1, stencils.get(l), context.run().parallelism());
        }
        report(sweep, observations.squares(context.run().parallelism()), weight, stencils, context);
      }
    }
    return Stencil.model(
        context.run().allocator(),
        task.shape(),
        stencils.stream().map(Stencil::compacted).toList(),
        1);
  }

  /** Return the best of several new stencils. */
  private Stencil start(Observations observations, TrainingContext context, Seed seed) {
    StencilStart start = new StencilStart(observations, context.run().cancellation());
    Optional<Stencil> best = Optional.empty();
    double least = Double.POSITIVE_INFINITY;
    for (int restart = 0; restart < options.restarts(); restart++) {
      Stencil candidate =
          Stencil.blank(
              observations.count(Side.USERS), observations.count(Side.ITEMS), options.clusters());
      start.draw(candidate, options.clusters(), seed.child("restart", restart));
      double gain = fit(observations, context, candidate);
      if (gain < least) {
        least = gain;
        best = Optional.of(candidate);
      }
    }
    return best.orElseThrow();
  }

  private double fit(Observations observations, TrainingContext context, Stencil stencil) {
    return new StencilFit(observations, stencil, options.lambda(), context.run().parallelism())
        .fit(options.refinements());
  }

  private void report(
      int sweep, double squares, double weight, List<Stencil> stencils, TrainingContext context) {
    double penalty = 0;
    for (Stencil stencil : stencils) {
      for (double entry : stencil.entries()) {
        penalty += options.lambda() * entry * entry;
      }
    }
    Map<String, Double> measures = new LinkedHashMap<>();
    measures.put("objective", squares + penalty);
    measures.put("error", weight > 0 ? squares / weight : 0);
    context
        .run()
        .listener()
        .on(new TrainingStep(AccamsProvider.ID, sweep, options.iterations(), measures));
  }
}
