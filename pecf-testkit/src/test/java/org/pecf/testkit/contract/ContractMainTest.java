package org.pecf.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.pecf.testkit.contract.ContractRun.assertBreaks;

import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingLoaderProvider;
import org.pecf.api.data.Recognition;
import org.pecf.api.plugin.NoOptions;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** Contracts of providers of which only the class is known. */
class ContractMainTest {
  @AfterEach
  void forgetTheProvider() {
    System.clearProperty(ContractMain.PROVIDER);
  }

  private static void assertLoaderBreaks(
      Class<? extends RatingLoaderProvider<?>> provider, String... rules) {
    System.setProperty(ContractMain.PROVIDER, provider.getName());
    assertBreaks(ContractMain.Loader.class, rules);
  }

  /** Offers a loader that reads numbers between blanks. */
  static class Good implements RatingLoaderProvider<NoOptions> {
    @Override
    public ProviderDescription describe() {
      return new ProviderDescription("acme", "reads numbers", SpiVersion.CURRENT);
    }

    @Override
    public OptionSchema<NoOptions> options() {
      return NoOptions.schema();
    }

    @Override
    public RatingLoader create(NoOptions options) {
      return new RatingLoaderContractTest.TinyLoader();
    }
  }

  @Test
  void findsNoFaultInAGoodLoader() {
    assertLoaderBreaks(Good.class);
  }

  static class DescribesItselfBadly extends Good {
    @Override
    public ProviderDescription describe() {
      return new ProviderDescription("acme", "of\ntwo lines", SpiVersion.CURRENT);
    }
  }

  @Test
  void loadersOweWhatProvidersDo() {
    assertLoaderBreaks(DescribesItselfBadly.class, "describesItselfAlikeEveryTime");
  }

  static class KnowsEverything extends Good {
    @Override
    public RatingLoader create(NoOptions options) {
      return new RatingLoaderContractTest.TinyLoader() {
        @Override
        public Recognition recognise(DataSource source) {
          return Recognition.LIKELY;
        }

        @Override
        float rating(String word) {
          return word.length();
        }

        @Override
        List<String> lines(Path path) {
          super.lines(path);
          return IntStream.range(0, 9).mapToObj(k -> "1 " + k + " 1").collect(Collectors.toList());
        }
      };
    }
  }

  @Test
  void loadersAreShownRubbish() {
    assertLoaderBreaks(KnowsEverything.class, "doesNotRecogniseRubbish");
  }

  static class ReadsAtRandom extends Good {
    private static final SplittableRandom RANDOM = new SplittableRandom(1);

    @Override
    public RatingLoader create(NoOptions options) {
      return new RatingLoaderContractTest.TinyLoader() {
        @Override
        float rating(String word) {
          synchronized (RANDOM) {
            return RANDOM.nextInt();
          }
        }
      };
    }
  }

  @Test
  void aTableThatALoaderTakesForItsOwnIsReadTheSameWayEveryTime() {
    assertLoaderBreaks(ReadsAtRandom.class, "loadsTheSample", "loadsTheSameAtAnyThreadCount");
  }

  static class Unlicensed extends Good {
    Unlicensed() {
      throw new IllegalStateException("no licence");
    }
  }

  @Test
  void theExceptionOfAConstructorIsTold() {
    System.setProperty(ContractMain.PROVIDER, Unlicensed.class.getName());
    AssertionError error =
        assertThrows(AssertionError.class, () -> new ContractMain.Loader().provider());
    assertEquals(
        "the provider cannot be created: java.lang.IllegalStateException: no licence",
        error.getMessage());
  }
}
