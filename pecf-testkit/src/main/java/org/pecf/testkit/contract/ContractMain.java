package org.pecf.testkit.contract;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.pecf.api.compute.ComputeBackendProvider;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.RatingLoaderProvider;
import org.pecf.api.ensemble.AlphaStrategyProvider;
import org.pecf.api.ensemble.WeightingSchemeProvider;
import org.pecf.api.filter.BaseFilterProvider;

/**
 * Hold the providers of plugin jars to their contracts, with default options: what {@code pecf-run
 * plugins verify --contract} runs in a process of its own, the jars being on its class path.
 *
 * <p>It prints a line a rule that is begun, a provider that keeps its contract, a rule that is
 * broken, and one at the end, columns apart by tabs: rule, ok, error or end, the provider, what was
 * found. Who reads no end knows that a provider ended the process. A provider that prints to
 * standard output or leaves threads running breaks its contract too.
 *
 * @since 0.1
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ContractMain {
  static final String PROVIDER = "pecf.contract.provider";

  private static final Map<String, Class<?>> CONTRACTS =
      Map.of(
          BaseFilterProvider.class.getName(), Filter.class,
          WeightingSchemeProvider.class.getName(), Weighting.class,
          AlphaStrategyProvider.class.getName(), Alpha.class,
          ComputeBackendProvider.class.getName(), Backend.class,
          RatingLoaderProvider.class.getName(), Loader.class);

  private ContractMain() {}

  /**
   * Run the contracts of all providers of some jars.
   *
   * @param jars paths. Not modified.
   */
  public static void main(String[] jars) {
    PrintStream report = System.out;
    boolean kept = true;
    for (String jar : jars) {
      for (ModuleReference module : ModuleFinder.of(Path.of(jar)).findAll()) {
        for (ModuleDescriptor.Provides provided : module.descriptor().provides()) {
          Class<?> contract = CONTRACTS.get(provided.service());
          for (String provider : contract == null ? List.<String>of() : provided.providers()) {
            kept &= run(contract, provider, report);
          }
        }
      }
    }
    report.println("end\t\t");
    System.exit(kept ? 0 : 1);
  }

  private static boolean run(Class<?> contract, String providerClass, PrintStream report) {
    // This process does nothing else: the contract's class reads whom to hold to it from here.
    System.setProperty(PROVIDER, providerClass);
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(DiscoverySelectors.selectClass(contract))
            .build();
    Launcher launcher = LauncherFactory.create();
    Tally tally = new Tally(providerClass.substring(providerClass.lastIndexOf('.') + 1), report);
    Surroundings surroundings = Surroundings.watch();
    launcher.execute(request, tally);
    surroundings.traces().forEach(tally::problem);
    return tally.report();
  }

  /** Count kept rules, and print broken ones. */
  private static final class Tally implements TestExecutionListener {
    private final String provider;
    private final PrintStream report;
    private int kept;
    private int broken;

    Tally(String provider, PrintStream report) {
      this.provider = provider;
      this.report = report;
    }

    @Override
    public void executionStarted(TestIdentifier rule) {
      if (rule.isTest()) {
        line("rule", rule.getDisplayName());
      }
    }

    @Override
    public void executionFinished(TestIdentifier rule, TestExecutionResult result) {
      // A rule that does not apply is aborted.
      if (result.getStatus() != TestExecutionResult.Status.FAILED) {
        kept +=
            rule.isTest() && result.getStatus() == TestExecutionResult.Status.SUCCESSFUL ? 1 : 0;
        return;
      }
      String why =
          result
              .getThrowable()
              .map(problem -> String.valueOf(problem.getMessage()))
              .orElse("no reason given")
              .lines()
              .findFirst()
              .orElse("");
      problem(rule.getDisplayName() + " is broken: " + why);
    }

    void problem(String message) {
      broken++;
      line("error", message);
    }

    boolean report() {
      if (broken == 0) {
        line("ok", kept + " rules of its contract are kept");
      }
      return broken == 0 && kept > 0;
    }

    private void line(String level, String message) {
      report.println(level + "\t" + provider + "\t" + message.replaceAll("\\s", " "));
      report.flush();
    }
  }

  private static <P> P provider(Class<P> type) {
    try {
      return type.cast(
          Class.forName(System.getProperty(PROVIDER)).getDeclaredConstructor().newInstance());
    } catch (InvocationTargetException e) {
      throw new AssertionError("the provider cannot be created: " + e.getCause(), e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new AssertionError("the provider cannot be created: " + e, e);
    }
  }

  /**
   * A filter. Whether it depends on the seed, and how well it learns with which options, only its
   * author knows.
   */
  static final class Filter extends BaseFilterContract {
    @Override
    protected BaseFilterProvider<?> provider() {
      return ContractMain.provider(BaseFilterProvider.class);
    }

    @Override
    protected boolean dependsOnSeed() {
      return false;
    }

    @Override
    protected double accuracy() {
      return 0;
    }

    /** More than nothing: who ignores weights has none, who learns all by heart has little. */
    @Override
    protected double preferenceForWeight() {
      return 0.001;
    }

    /**
     * Needs a filter that learns well; that cells of weight zero are ignored is another rule too.
     */
    @Test
    @Override
    public void learnsNothingFromCellsOfWeightZero() {
      Assumptions.abort("how well it learns depends on options");
    }
  }

  /** A weighting scheme. */
  static final class Weighting extends WeightingSchemeContract {
    @Override
    protected WeightingSchemeProvider<?> provider() {
      return ContractMain.provider(WeightingSchemeProvider.class);
    }
  }

  /** An alpha strategy. */
  static final class Alpha extends AlphaStrategyContract {
    @Override
    protected AlphaStrategyProvider<?> provider() {
      return ContractMain.provider(AlphaStrategyProvider.class);
    }
  }

  /**
   * A loader. Only its author knows its format and what is in a file of it; a loader that takes a
   * plain table for its own is held to reading it the same way every time.
   */
  static final class Loader extends RatingLoaderContract {
    @Override
    protected RatingLoaderProvider<?> provider() {
      return ContractMain.provider(RatingLoaderProvider.class);
    }

    @Override
    protected Sample sample(Path target) throws IOException {
      Optional<DataSource> source = PlainTable.recognisedBy(loader(), target);
      Assumptions.assumeTrue(source.isPresent(), "its format is not known here");
      return new Sample(source.get(), load(source.get()));
    }

    @Override
    protected List<BadSample> badSamples(Path target) {
      return List.of();
    }
  }

  /** A backend. */
  static final class Backend extends ComputeBackendContract {
    @Override
    protected ComputeBackendProvider<?> provider() {
      return ContractMain.provider(ComputeBackendProvider.class);
    }
  }
}
