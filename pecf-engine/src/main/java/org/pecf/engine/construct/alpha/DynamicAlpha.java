package org.pecf.engine.construct.alpha;

import java.lang.invoke.MethodHandles;
import java.util.List;
import org.pecf.api.compute.FieldKernels;
import org.pecf.api.ensemble.AlphaStep;
import org.pecf.api.ensemble.AlphaStrategy;
import org.pecf.api.ensemble.AlphaStrategyProvider;
import org.pecf.api.field.CellField;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/**
 * The provider of the line search: the alpha that minimises {@code sum c (residual - alpha
 * direction)^2}, which is {@code sum c residual direction / sum c direction^2}, clamped to [0, 1].
 */
public final class DynamicAlpha implements AlphaStrategyProvider<DynamicAlpha.Options> {
  /** The cells that are searched over. */
  public enum Cells {
    TRAINING,
    VALIDATION
  }

  /** The options of the line search. */
  public record Options(
      @Option(
              value = "cells to search over: validation guards against members that over-fit",
              defaultValue = "training")
          Cells cells) {}

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        "dynamic", "line search for the least weighted squared error", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<Options> options() {
    return OptionSchema.of(MethodHandles.lookup(), Options.class);
  }

  @Override
  public AlphaStrategy create(Options options) {
    return new LineSearch(options.cells());
  }

  /**
   * A line search over the cells of one part.
   *
   * @param cells the part
   */
  private record LineSearch(Cells cells) implements AlphaStrategy {
    @Override
    public boolean usesValidation() {
      return cells == Cells.VALIDATION;
    }

    @Override
    public double alpha(AlphaStep step, FieldKernels kernels) {
      double[] sums =
          kernels.sums(
              List.of(
                  CellField.product(step.confidence(), step.residual(), step.direction()),
                  CellField.product(step.confidence(), step.direction(), step.direction())));
      return sums[1] > 0 ? Math.max(0, Math.min(1, sums[0] / sums[1])) : 0;
    }
  }
}
