package org.pecf.cli.command;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.compute.Availability;
import org.pecf.cli.console.Console;
import org.pecf.cli.console.TextTable;
import org.pecf.cli.console.TextTable.Align;
import org.pecf.cli.console.Version;
import org.pecf.cli.option.BackendOptions;
import org.pecf.cli.option.CommonOptions;
import org.pecf.cli.option.FiniteNumber;
import org.pecf.cli.report.Diagnostics;
import org.pecf.cli.run.RunEnvironment;
import org.pecf.engine.request.ComputeRequest;
import org.pecf.engine.run.Workspace;
import org.pecf.platform.plugin.Backend;
import org.pecf.platform.plugin.Diagnostic;
import org.pecf.platform.plugin.PluginCatalog;
import org.pecf.platform.plugin.PluginInspection;
import org.pecf.platform.plugin.PluginReport;
import org.pecf.platform.plugin.ProviderChoice;
import org.pecf.platform.plugin.ProviderKind;
import org.pecf.tools.plugin.ContractProcess;
import org.pecf.tools.selftest.BackendComparison;
import org.pecf.tools.selftest.BackendRates;
import org.pecf.tools.selftest.Difference;
import org.pecf.tools.selftest.Rate;
import org.pecf.tools.selftest.SessionSource;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command that runs a backend against its contract and measures it. */
@CommandLine.Command(
    name = "selftest",
    abbreviateSynopsis = true,
    description = {
      "Run a backend against its contract, compare it with the cpu backend on large grids, measure",
      "it, and print a report to attach to an issue.",
      "Exit code 3 if it breaks a rule or computes something else."
    })
public final class BackendsSelftestCommand extends Command {
  /** The backend that others are compared with. */
  private static final String REFERENCE = "cpu";

  private static final Duration CONTRACT_LIMIT = Duration.ofMinutes(30);

  @Mixin private BackendOptions options = new BackendOptions();

  @Option(
      names = "--seconds",
      converter = FiniteNumber.class,
      paramLabel = "S",
      defaultValue = "0.5",
      description =
          "Let grids grow until a measurement takes this long (default: ${DEFAULT-VALUE}); 0"
              + " measures and compares the smallest alone.")
  private double seconds;

  /** Create the command. */
  public BackendsSelftestCommand(Console console) {
    super(console);
  }

  @Override
  public int run() {
    PluginCatalog catalog = catalog();
    ProviderChoice choice = options.choice(catalog);
    Backend tested = catalog.backend(choice);
    Availability availability = tested.probe();
    if (!availability.available()) {
      throw PecfException.unavailable(
          "Backend %s cannot be used here: %s", tested.id(), availability.explanation());
    }
    List<Diagnostic> diagnostics =
        new ContractProcess(CommonOptions.home(), CONTRACT_LIMIT)
            .backend(choice.id(), jars(catalog, choice), choice.options());
    List<Difference> differences = new ArrayList<>();
    List<Rate> rates = new ArrayList<>();
    int code = Diagnostics.exitCode(diagnostics);
    if (code == 0) {
      measure(catalog, tested, differences, rates);
    }
    print(choice, availability, diagnostics, differences, rates);
    return differences.stream().allMatch(Difference::agrees)
        ? code
        : ErrorCode.UNAVAILABLE.exitCode();
  }

  private static List<Path> jars(PluginCatalog catalog, ProviderChoice choice) {
    PluginReport plugin = catalog.origin(ProviderKind.BACKEND, choice.id());
    return plugin.builtIn() ? List.of() : PluginInspection.of(Path.of(plugin.location())).jars();
  }

  private void measure(
      PluginCatalog catalog, Backend tested, List<Difference> differences, List<Rate> rates) {
    try (RunEnvironment surroundings = environment(Optional.empty());
        Workspace workspace =
            new Workspace(
                catalog,
                ComputeRequest.standard(),
                surroundings.listener(),
                surroundings.interruption())) {
      SessionSource sessions =
          new SessionSource(
              tested, workspace.allocator(), workspace.pool(), surroundings.interruption());
      if (!tested.id().equals(REFERENCE)) {
        SessionSource reference = sessions.with(catalog.backend(ProviderChoice.of(REFERENCE)));
        new BackendComparison(sessions, reference, seconds > 0).compare(differences::add);
      }
      new BackendRates(sessions).measure(seconds, rates::add);
      surroundings.endDisplay();
    }
  }

  private void print(
      ProviderChoice choice,
      Availability availability,
      List<Diagnostic> diagnostics,
      List<Difference> differences,
      List<Rate> rates) {
    PrintStream out = console().out();
    out.println("PECF " + Version.number() + ", self-test of backend " + choice.id());
    out.println("device     " + availability.explanation());
    out.println("options    " + choice.options());
    out.println(
        "system     "
            + System.getProperty("os.name")
            + " "
            + System.getProperty("os.version")
            + " "
            + System.getProperty("os.arch")
            + ", Java "
            + System.getProperty("java.runtime.version"));
    out.println();
    Diagnostics.lines(diagnostics).forEach(out::println);
    if (!differences.isEmpty()) {
      out.println();
      console().print(differenceTable(differences));
    }
    if (!rates.isEmpty()) {
      out.println();
      console().print(rateTable(rates));
    }
  }

  private static TextTable differenceTable(List<Difference> differences) {
    TextTable table =
        new TextTable()
            .column("compared with " + REFERENCE, Align.LEFT)
            .right("seconds", "there", "difference")
            .left("");
    for (Difference difference : differences) {
      table.row(
          difference.name(),
          String.format(Locale.ROOT, "%.4f", difference.seconds()),
          String.format(Locale.ROOT, "%.4f", difference.referenceSeconds()),
          String.format(Locale.ROOT, "%.1e", difference.largest()),
          difference.agrees() ? "ok" : "TOO LARGE");
    }
    return table;
  }

  private static TextTable rateTable(List<Rate> rates) {
    TextTable table = new TextTable().left("measurement").right("seconds", "a second", "of peak");
    for (Rate rate : rates) {
      table.row(
          rate.name(),
          String.format(Locale.ROOT, "%.4f", rate.seconds()),
          amount(rate.perSecond(), rate.unit()),
          Double.isNaN(rate.peakShare())
              ? ""
              : String.format(Locale.ROOT, "%.1f %%", 100 * rate.peakShare()));
    }
    return table;
  }

  private static String amount(double value, String unit) {
    String[] prefixes = {"", "k", "M", "G", "T"};
    int prefix = 0;
    double scaled = value;
    while (scaled >= 1000 && prefix + 1 < prefixes.length) {
      scaled /= 1000;
      prefix++;
    }
    return String.format(Locale.ROOT, "%.1f %s%s", scaled, prefixes[prefix], unit);
  }
}
