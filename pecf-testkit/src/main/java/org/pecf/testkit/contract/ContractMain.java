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
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
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
import org.pecf.api.evaluate.MetricProvider;
import org.pecf.api.filter.BaseFilterProvider;

/**
 * The program that runs providers against their contracts, in a process of its own with their jars
 * on the class path.
 *
 * <p>It prints one line for each rule that begins, for each provider that keeps its contract, for
 * each rule that is broken, and one at the end. The columns, separated by tabs, are: rule, ok,
 * error or end; the provider; the message. If the end is missing, a provider ended the process. A
 * provider that prints to standard output or leaves threads running breaks its contract too.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ContractMain {
  static final String PROVIDER = "pecf.contract.provider";
  static final String OPTIONS = "pecf.contract.options";

  private static final Map<String, Class<?>> CONTRACTS =
      Map.of(
          BaseFilterProvider.class.getName(), Filter.class,
          WeightingSchemeProvider.class.getName(), Weighting.class,
          AlphaStrategyProvider.class.getName(), Alpha.class,
          ComputeBackendProvider.class.getName(), Backend.class,
          RatingLoaderProvider.class.getName(), Loader.class,
          MetricProvider.class.getName(), MetricOfPlugin.class);

  private ContractMain() {}

  /**
   * Run contracts.
   *
   * @param arguments the number of the process that asks, with which this one ends; {@code plugin},
   *     then jars whose providers are all run with default options; or {@code backend}, then the id
   *     of one backend and its options as {@code key=value}. Not modified.
   */
  public static void main(String[] arguments) {
    endWith(Long.parseLong(arguments[0]));
    PrintStream report = System.out;
    List<String> rest = List.of(arguments).subList(2, arguments.length);
    boolean kept = arguments[1].equals("backend") ? backend(rest, report) : plugin(rest, report);
    report.println("end\t\t");
    System.exit(kept ? 0 : 1);
  }

  /** Let this process end, with all that it started, when another one has, however that ended. */
  private static void endWith(long process) {
    ProcessHandle.of(process)
        .map(ProcessHandle::onExit)
        .orElseGet(() -> CompletableFuture.completedFuture(ProcessHandle.current()))
        .thenRun(
            () -> {
              ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
              Runtime.getRuntime().halt(1);
            });
  }

  private static boolean plugin(List<String> jars, PrintStream report) {
    boolean kept = true;
    for (String jar : jars) {
      for (ModuleReference module : ModuleFinder.of(Path.of(jar)).findAll()) {
        for (ModuleDescriptor.Provides provided : module.descriptor().provides()) {
          Class<?> contract = CONTRACTS.get(provided.service());
          if (contract != null) {
            for (String provider : provided.providers()) {
              kept &= run(contract, provider, report);
            }
          }
        }
      }
    }
    return kept;
  }

  private static boolean backend(List<String> idAndOptions, PrintStream report) {
    String provider =
        ServiceLoader.load(ComputeBackendProvider.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(one -> one.describe().id().equals(idAndOptions.get(0)))
            .map(one -> one.getClass().getName())
            .findFirst()
            .orElseThrow();
    System.setProperty(OPTIONS, String.join("\n", idAndOptions.subList(1, idAndOptions.size())));
    return run(Backend.class, provider, report);
  }

  private static boolean run(Class<?> contract, String providerClass, PrintStream report) {
    // The classes of contracts, which JUnit creates, read the provider from here.
    System.setProperty(PROVIDER, providerClass);
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(DiscoverySelectors.selectClass(contract))
            .build();
    Launcher launcher = LauncherFactory.create();
    Tally tally = new Tally(providerClass.substring(providerClass.lastIndexOf('.') + 1), report);
    ProcessTraces traces = ProcessTraces.watch();
    launcher.execute(request, tally);
    traces.end().forEach(tally::problem);
    return tally.report();
  }

  /** A listener that counts kept rules and prints broken ones. */
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

  /** A metric. */
  static final class MetricOfPlugin extends MetricContract {
    @Override
    protected MetricProvider provider() {
      return ContractMain.provider(MetricProvider.class);
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

    @Override
    protected Map<String, String> optionTexts() {
      return System.getProperty(OPTIONS, "")
          .lines()
          .map(line -> line.split("=", 2))
          .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    }
  }
}
