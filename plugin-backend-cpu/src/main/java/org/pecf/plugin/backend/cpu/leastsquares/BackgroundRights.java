package org.pecf.plugin.backend.cpu.leastsquares;

import java.util.ArrayList;
import java.util.List;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.Side;
import org.pecf.backend.algebra.FloatSlice;
import org.pecf.backend.algebra.MatrixSlice;
import org.pecf.backend.algebra.OffHeapFloats;
import org.pecf.backend.algebra.Worker;
import org.pecf.backend.field.ScoreCombination;
import org.pecf.backend.leastsquares.Background;
import org.pecf.backend.leastsquares.FactorProducts;
import org.pecf.backend.leastsquares.RightSides;

/** The right-hand sides that the background's targets give: a constant, and scores of models. */
final class BackgroundRights implements RightSides, AutoCloseable {
  private final CpuContext context;
  private final int rank;

  /** The part due to constant targets: {@code b t sum_j v_j}. */
  private final float[] pull;

  private final boolean constantTarget;

  /** The maps from the factors of the models in the targets to right-hand sides. */
  private final List<Mapping> mappings = new ArrayList<>();

  /**
   * The contribution of one model in the targets, {@code b c F'V}.
   *
   * @param scale {@code b c}
   * @param other the model's factors of the other side, F
   * @param factors the model's factors of the solved side
   * @param map the product
   */
  private record Mapping(float scale, FloatMatrix other, FloatMatrix factors, OffHeapFloats map) {}

  private BackgroundRights(CpuContext context, Background background, FloatMatrix fixed) {
    this.context = context;
    this.rank = fixed.columns();
    this.pull = new float[rank];
    this.constantTarget = background.constantTarget() != 0;
    if (constantTarget) {
      double[] sums = FactorProducts.columnSums(fixed);
      for (int k = 0; k < rank; k++) {
        pull[k] = (float) (background.weight() * background.constantTarget() * sums[k]);
      }
    }
  }

  /**
   * Prepare the right-hand sides of a half-sweep.
   *
   * @param scores the scores in the background's targets
   */
  static BackgroundRights of(
      CpuContext context,
      Background background,
      List<ScoreCombination> scores,
      Side side,
      FloatMatrix fixed) {
    BackgroundRights rights = new BackgroundRights(context, background, fixed);
    try {
      rights.map((float) background.weight(), scores, side, fixed);
      return rights;
    } catch (RuntimeException | Error e) {
      rights.close();
      throw e;
    }
  }

  private void map(float b, List<ScoreCombination> scores, Side side, FloatMatrix fixed) {
    for (ScoreCombination combination : scores) {
      for (int k = 0; k < combination.size(); k++) {
        FactorModel model = combination.model(k);
        mappings.add(
            new Mapping(
                b * combination.coefficient(k),
                model.side(side.other()),
                model.side(side),
                OffHeapFloats.allocate(context.allocator(), (long) model.rank() * rank)));
      }
    }
    context
        .parallelism()
        .forEach(
            mappings.size(),
            (index, number) -> {
              Mapping mapping = mappings.get(index);
              FactorProducts.of(context.workers()[number])
                  .cross(mapping.other, fixed, mapping.scale, slice(mapping));
            });
  }

  private FloatSlice slice(Mapping mapping) {
    return mapping.map.slice(0, (long) mapping.factors.columns() * rank);
  }

  @Override
  public boolean isZero() {
    return !constantTarget && mappings.isEmpty();
  }

  @Override
  public void write(Worker worker, int first, MatrixSlice rights) {
    FloatSlice floats = rights.floats();
    floats.clear();
    for (int r = 0; constantTarget && r < rights.rows(); r++) {
      for (int k = 0; k < rank; k++) {
        floats.set((long) r * rank + k, pull[k]);
      }
    }
    for (Mapping mapping : mappings) {
      int inner = mapping.factors.columns();
      worker
          .algebra()
          .multiply(
              1,
              MatrixSlice.rows(mapping.factors, first, rights.rows()),
              MatrixSlice.of(slice(mapping), inner, rank),
              1,
              rights);
    }
  }

  @Override
  public void close() {
    mappings.forEach(mapping -> mapping.map.close());
  }
}
