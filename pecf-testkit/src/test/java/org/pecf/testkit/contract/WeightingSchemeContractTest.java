package org.pecf.testkit.contract;

import static org.pecf.testkit.contract.ContractRun.assertBreaks;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.pecf.api.ensemble.EnsembleState;
import org.pecf.api.ensemble.WeightingScheme;
import org.pecf.api.ensemble.WeightingSchemeProvider;
import org.pecf.api.field.Apply;
import org.pecf.api.field.CellField;
import org.pecf.api.field.CellFunction;
import org.pecf.api.field.HostField;
import org.pecf.api.field.Linear;
import org.pecf.api.field.Posterior;
import org.pecf.api.field.Score;
import org.pecf.api.field.ValueRange;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.plugin.NoOptions;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** Weighting schemes that are wrong in one way each, and the rules that must tell. */
class WeightingSchemeContractTest {
  /** Offers a scheme. */
  record SchemeProvider(WeightingScheme scheme) implements WeightingSchemeProvider<NoOptions> {
    @Override
    public ProviderDescription describe() {
      return new ProviderDescription("scheme", "a scheme", SpiVersion.CURRENT);
    }

    @Override
    public OptionSchema<NoOptions> options() {
      return NoOptions.schema();
    }

    @Override
    public WeightingScheme create(NoOptions options) {
      return scheme;
    }
  }

  /** A contract on a scheme. */
  abstract static class Contract extends WeightingSchemeContract {
    private final WeightingScheme scheme;

    Contract(WeightingScheme scheme) {
      this.scheme = scheme;
    }

    @Override
    protected WeightingSchemeProvider<?> provider() {
      return new SchemeProvider(scheme);
    }
  }

  private static CellField weighed(EnsembleState state, CellFunction function) {
    return CellField.product(state.confidence(), new Apply(function, List.of(state.error())));
  }

  static class Good extends Contract {
    Good() {
      super((state, kernels) -> weighed(state, new Posterior(10, 1, 11)));
    }
  }

  @Test
  void findsNoFaultInPosteriorWeights() {
    assertBreaks(Good.class);
  }

  static class Plain extends Contract {
    Plain() {
      super((state, kernels) -> state.confidence());
    }
  }

  @Test
  void findsNoFaultInPlainConfidences() {
    assertBreaks(Plain.class);
  }

  static class Signed extends Contract {
    Signed() {
      super((state, kernels) -> CellField.product(state.confidence(), state.error()));
    }
  }

  @Test
  void catchesNegativeWeights() {
    assertBreaks(
        Signed.class,
        "weighsNoCellNegatively",
        "weighsForLargerEnsembles",
        "staysFiniteForExtremePredictions");
  }

  static class ForgetsTheConfidence extends Contract {
    ForgetsTheConfidence() {
      super((state, kernels) -> new Apply(new Posterior(10, 1, 11), List.of(state.error())));
    }
  }

  @Test
  void catchesWeightsOnHeldOutCells() {
    assertBreaks(ForgetsTheConfidence.class, "keepsHeldOutCellsOut", "weighsForLargerEnsembles");
  }

  static class NormalisesByAllRatings extends Contract {
    NormalisesByAllRatings() {
      super(
          (state, kernels) -> {
            double ratings = kernels.sums(List.of(state.ratings()))[0];
            return CellField.product(
                state.confidence(), CellField.constant((float) (100 / ratings)));
          });
    }
  }

  @Test
  void catchesWeightsThatDependOnHeldOutRatings() {
    assertBreaks(NormalisesByAllRatings.class, "weighsByTrainingCellsAlone");
  }

  static class NamesItsOwnCells extends Contract {
    private static final SparseCells OWN =
        SparseCells.ofSorted(new RootAllocator(), 21, 16, 1, new int[] {3}, new int[] {5});

    NamesItsOwnCells() {
      super(
          (state, kernels) -> CellField.product(state.confidence(), CellField.observed(OWN, 1, 1)));
    }
  }

  @Test
  void catchesWeightsThatNameCellsOfTheirOwn() {
    assertBreaks(NamesItsOwnCells.class, "namesNoCellsOfItsOwn");
  }

  static class Nothing extends Contract {
    Nothing() {
      super((state, kernels) -> CellField.constant(0));
    }
  }

  @Test
  void catchesWeightsThatAreAllZero() {
    assertBreaks(Nothing.class, "keepsSomeWeight");
  }

  static class Moody extends Contract {
    private static final AtomicInteger MOOD = new AtomicInteger();

    Moody() {
      super(
          (state, kernels) ->
              CellField.product(
                  state.confidence(), CellField.constant(1 + MOOD.incrementAndGet() % 2)));
    }
  }

  @Test
  void catchesWeightsThatChangeFromCallToCall() {
    assertBreaks(Moody.class, "weighsAlikeEveryTime", "weighsByTrainingCellsAlone");
  }

  /** e to the fourth overflows where e is large. */
  record Fourth() implements CellFunction {
    @Override
    public float value(float[] arguments) {
      float square = arguments[0] * arguments[0];
      return square * square;
    }
  }

  static class Explodes extends Contract {
    Explodes() {
      super((state, kernels) -> weighed(state, new Fourth()));
    }
  }

  @Test
  void catchesWeightsThatOverflow() {
    assertBreaks(Explodes.class, "staysFiniteForExtremePredictions");
  }

  /** Closes over something that cannot leave the process. */
  record Attached(Thread owner) implements CellFunction {
    @Override
    public float value(float[] arguments) {
      return owner == null ? 0 : 1;
    }
  }

  static class ClingsToAThread extends Contract {
    ClingsToAThread() {
      super((state, kernels) -> weighed(state, new Attached(Thread.currentThread())));
    }
  }

  @Test
  void catchesFunctionsThatCannotBeSerialised() {
    assertBreaks(ClingsToAThread.class, "givesFunctionsThatCanBeSentElsewhere");
  }

  /** Claims a range it does not keep. */
  record Boastful() implements CellFunction {
    @Override
    public float value(float[] arguments) {
      return 1 / (1 + Math.abs(arguments[0]));
    }

    @Override
    public ValueRange range(List<ValueRange> arguments) {
      return ValueRange.of(1);
    }
  }

  static class Boasts extends Contract {
    Boasts() {
      super((state, kernels) -> weighed(state, new Boastful()));
    }
  }

  @Test
  void catchesADishonestRange() {
    assertBreaks(Boasts.class, "boundsItsBackgroundHonestly");
  }

  /** Works for the first evaluation of a cell only. */
  record WornOut(CellField confidence, AtomicInteger uses) implements HostField {
    @Override
    public float valueAt(int user, int item) {
      if (uses.incrementAndGet() > 21 * 16) {
        throw new IllegalStateException("evaluated more than once");
      }
      return confidence.valueAt(user, item);
    }
  }

  static class WearsOut extends Contract {
    WearsOut() {
      super((state, kernels) -> new WornOut(state.confidence(), new AtomicInteger()));
    }
  }

  @Test
  void catchesFieldsThatCanBeEvaluatedOnlyOnce() {
    assertBreaks(WearsOut.class, "givesFieldsThatABackendCanUse", "boundsItsBackgroundHonestly");
  }

  static class CountsMembers extends Contract {
    CountsMembers() {
      super(
          (state, kernels) ->
              CellField.product(state.confidence(), CellField.constant(3 - state.members())));
    }
  }

  @Test
  void catchesASchemeForSmallEnsemblesOnly() {
    assertBreaks(CountsMembers.class, "weighsForLargerEnsembles");
  }

  static class ChangesTheEnsemble extends Contract {
    ChangesTheEnsemble() {
      super(
          (state, kernels) -> {
            if (state.prediction() instanceof Linear linear
                && linear.terms().get(0).field() instanceof Score score) {
              FactorModel model = score.model();
              model.users().set(0, 0, model.users().get(0, 0) + 1);
            }
            return state.confidence();
          });
    }
  }

  @Test
  void catchesAChangedEnsembleInEveryRule() {
    assertBreaks(
        ChangesTheEnsemble.class,
        "givesFunctionsThatCanBeSentElsewhere",
        "weighsNoCellNegatively",
        "keepsHeldOutCellsOut",
        "weighsByTrainingCellsAlone",
        "namesNoCellsOfItsOwn",
        "keepsSomeWeight",
        "weighsAlikeEveryTime",
        "staysFiniteForExtremePredictions",
        "boundsItsBackgroundHonestly",
        "givesFieldsThatABackendCanUse",
        "weighsForLargerEnsembles");
  }
}
