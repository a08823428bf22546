package org.pecf.testkit.contract;

import static org.pecf.testkit.contract.ContractRun.assertBreaks;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.pecf.api.compute.FieldKernels;
import org.pecf.api.ensemble.AlphaStep;
import org.pecf.api.ensemble.AlphaStrategy;
import org.pecf.api.ensemble.AlphaStrategyProvider;
import org.pecf.api.field.CellField;
import org.pecf.api.plugin.NoOptions;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** Alpha strategies that are wrong in one way each, and the rules that must tell. */
class AlphaStrategyContractTest {
  /** Offers a strategy. */
  record StrategyProvider(AlphaStrategy strategy) implements AlphaStrategyProvider<NoOptions> {
    @Override
    public ProviderDescription describe() {
      return new ProviderDescription("strategy", "a strategy", SpiVersion.CURRENT);
    }

    @Override
    public OptionSchema<NoOptions> options() {
      return NoOptions.schema();
    }

    @Override
    public AlphaStrategy create(NoOptions options) {
      return strategy;
    }
  }

  /** A contract on a strategy. */
  abstract static class Contract extends AlphaStrategyContract {
    private final AlphaStrategy strategy;

    Contract(AlphaStrategy strategy) {
      this.strategy = strategy;
    }

    @Override
    protected AlphaStrategyProvider<?> provider() {
      return new StrategyProvider(strategy);
    }
  }

  private static double lineSearch(AlphaStep step, FieldKernels kernels) {
    double[] sums =
        kernels.sums(
            List.of(
                CellField.product(step.confidence(), step.residual(), step.direction()),
                CellField.product(step.confidence(), CellField.square(step.direction()))));
    return sums[0] / sums[1];
  }

  private static double clamped(double alpha) {
    return Math.min(1, Math.max(0, alpha));
  }

  static class Good extends Contract {
    Good() {
      super(
          (step, kernels) -> {
            double alpha = clamped(lineSearch(step, kernels));
            return Double.isFinite(alpha) ? alpha : 0;
          });
    }
  }

  @Test
  void findsNoFaultInAClampedLineSearch() {
    assertBreaks(Good.class);
  }

  static class Unclamped extends Contract {
    Unclamped() {
      super(
          (step, kernels) -> {
            double alpha = lineSearch(step, kernels);
            return Double.isFinite(alpha) && Math.abs(alpha) < 1e6 ? alpha : 0;
          });
    }
  }

  @Test
  void catchesAlphaOutOfRange() {
    assertBreaks(Unclamped.class, "staysBetweenZeroAndOne", "staysFiniteForExtremeDirections");
  }

  static class DividesByZero extends Contract {
    DividesByZero() {
      super((step, kernels) -> clamped(lineSearch(step, kernels)));
    }
  }

  @Test
  void catchesADivisionByZero() {
    assertBreaks(DividesByZero.class, "staysFiniteForADirectionOfZero", "staysFiniteWithoutCells");
  }

  static class Overflows extends Contract {
    Overflows() {
      super(
          (step, kernels) -> {
            float size = (float) kernels.sums(List.of(CellField.square(step.direction())))[0];
            return size == 0 ? 0 : 1 / (1 + size * size / (size * size));
          });
    }
  }

  @Test
  void catchesAnOverflow() {
    assertBreaks(Overflows.class, "staysFiniteForExtremeDirections");
  }

  static class NeedsCells extends Contract {
    NeedsCells() {
      super(
          (step, kernels) ->
              kernels.sums(List.of(CellField.square(step.direction())))[0] < 1e-20
                  ? 0
                  : clamped(lineSearch(step, kernels)));
    }
  }

  @Test
  void catchesAStrategyThatNeedsCellsCells() {
    assertBreaks(NeedsCells.class, "staysFiniteWithoutCells");
  }

  static class Shrinks extends Contract {
    Shrinks() {
      super((step, kernels) -> 1 - step.members() / 100.0);
    }
  }

  @Test
  void catchesAStrategyForSmallEnsemblesOnly() {
    assertBreaks(Shrinks.class, "acceptsAnyNumberOfMembers");
  }

  static class Moody extends Contract {
    private static final AtomicInteger MOOD = new AtomicInteger();

    Moody() {
      super((step, kernels) -> MOOD.incrementAndGet() % 2);
    }
  }

  @Test
  void catchesAStrategyThatChangesItsMind() {
    assertBreaks(Moody.class, "choosesAlikeEveryTime", "judgesByTheGivenCellsAlone");
  }

  static class LooksEverywhere extends Contract {
    LooksEverywhere() {
      super(
          (step, kernels) -> {
            double alpha =
                clamped(
                    lineSearch(
                        new AlphaStep(
                            step.members(),
                            CellField.constant(1),
                            step.residual(),
                            step.direction()),
                        kernels));
            return Double.isFinite(alpha) ? alpha : 0;
          });
    }
  }

  @Test
  void catchesCellsOfConfidenceZeroThatCount() {
    assertBreaks(LooksEverywhere.class, "judgesByTheGivenCellsAlone");
  }
}
