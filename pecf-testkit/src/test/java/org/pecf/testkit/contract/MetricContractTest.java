package org.pecf.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.pecf.api.evaluate.Metric;
import org.pecf.api.evaluate.MetricProvider;
import org.pecf.api.plugin.NoOptions;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** Each rule of the contract of metrics passes a sound metric and notices one that breaks it. */
class MetricContractTest {
  /** A metric, sound or with one slip. */
  enum Slip {
    NONE,
    NOT_A_NUMBER,
    MEMORY,
    LOWER_IS_BETTER;

    private int measured;

    MetricProvider provider() {
      return new MetricProvider() {
        @Override
        public ProviderDescription describe() {
          return new ProviderDescription("share", "hits / M", SpiVersion.CURRENT);
        }

        @Override
        public Metric create(NoOptions options) {
          return hits -> {
            double share = (double) hits.count() / hits.cutoff();
            return switch (Slip.this) {
              case NONE -> share;
              case NOT_A_NUMBER -> share / hits.count();
              case MEMORY -> share + measured++;
              case LOWER_IS_BETTER -> -share;
            };
          };
        }
      };
    }
  }

  private static final class Contract extends MetricContract {
    private final Slip slip;

    Contract(Slip slip) {
      this.slip = slip;
    }

    @Override
    protected MetricProvider provider() {
      return slip.provider();
    }
  }

  @Test
  void aSoundMetricPasses() {
    Contract contract = new Contract(Slip.NONE);
    contract.isAlwaysANumber();
    contract.dependsOnTheHitsAlone();
    contract.isHighestWhereTheHitsComeFirst();
    contract.describesItselfAlikeEveryTime();
    contract.takesItsOwnDefaults();
    contract.refusesOptionsWithoutMeaning();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void eachSlipIsNoticed(Slip slip) {
    Contract contract = new Contract(slip);
    Runnable rule =
        switch (slip) {
          case NOT_A_NUMBER -> contract::isAlwaysANumber;
          case MEMORY -> contract::dependsOnTheHitsAlone;
          default -> contract::isHighestWhereTheHitsComeFirst;
        };
    assertThrows(AssertionError.class, rule::run);
  }
}
