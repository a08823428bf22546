package org.pecf.cli.command;

import java.io.PrintStream;
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
import org.pecf.cli.option.FiniteNumber;
import org.pecf.cli.option.SettingOptions;
import org.pecf.cli.run.RunSurroundings;
import org.pecf.engine.plugin.Backend;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.request.ComputeRequest;
import org.pecf.engine.run.Workspace;
import org.pecf.tools.selftest.BackendSelftest;
import org.pecf.tools.selftest.Check;
import org.pecf.tools.selftest.Rate;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compare a backend with the CPU's, and measure it. */
@CommandLine.Command(
    name = "selftest",
    abbreviateSynopsis = true,
    description = {
      "Compare all that a backend computes with what the cpu backend does, measure it, and print a"
          + " report to attach to an issue.",
      "Exit code 3 if results differ."
    })
public final class BackendsSelftestCommand extends Command {
  @Mixin private BackendOptions options = new BackendOptions();

  @Option(
      names = "--seconds",
      converter = FiniteNumber.class,
      paramLabel = "S",
      defaultValue = "0.5",
      description =
          "Let grids grow until a measurement takes so long (default: ${DEFAULT-VALUE}); 0 measures"
              + " the smallest alone.")
  private double seconds;

  /** Create the command. */
  public BackendsSelftestCommand(Console console) {
    super(console);
  }

  @Override
  public Optional<SettingOptions> settings() {
    return Optional.of(options.settings());
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
    Backend reference = catalog.backend(ProviderChoice.of("cpu"));
    List<Check> checks = new ArrayList<>();
    List<Rate> rates = new ArrayList<>();
    try (RunSurroundings surroundings = new RunSurroundings(console(), common(), Optional.empty());
        Workspace workspace =
            new Workspace(
                catalog,
                ComputeRequest.standard(),
                surroundings.listener(),
                surroundings.interruption())) {
      BackendSelftest selftest =
          new BackendSelftest(
              tested,
              reference,
              workspace.allocator(),
              workspace.pool(),
              surroundings.interruption());
      selftest.check(checks::add);
      if (checks.stream().allMatch(Check::passed)) {
        selftest.measure(seconds, rates::add);
      }
      surroundings.endDisplay();
    }
    print(choice, availability, reference, checks, rates);
    return checks.stream().allMatch(Check::passed) ? 0 : ErrorCode.UNAVAILABLE.exitCode();
  }

  private void print(
      ProviderChoice choice,
      Availability availability,
      Backend reference,
      List<Check> checks,
      List<Rate> rates) {
    PrintStream out = console().out();
    out.println("PECF " + Version.number() + ", self-test of backend " + choice.id());
    out.println("device     " + availability.explanation());
    out.println("options    " + choice.options());
    out.println("reference  " + reference.id() + ": " + reference.probe().explanation());
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
    table(checks).lines().forEach(out::println);
    for (Check check : checks) {
      if (!check.problem().isEmpty()) {
        out.println(check.name() + ": " + check.problem());
      }
    }
    out.println();
    if (!rates.isEmpty()) {
      rateTable(rates).lines().forEach(out::println);
      out.println();
    }
    long failed = checks.stream().filter(check -> !check.passed()).count();
    out.println(
        failed == 0
            ? "all " + checks.size() + " checks passed"
            : failed + " of " + checks.size() + " checks failed; nothing was measured");
  }

  private static TextTable table(List<Check> checks) {
    TextTable table =
        new TextTable()
            .column("check", Align.LEFT)
            .column("difference", Align.RIGHT)
            .column("allowed", Align.RIGHT)
            .column("", Align.LEFT);
    for (Check check : checks) {
      table.row(
          List.of(
              check.name(),
              String.format(Locale.ROOT, "%.1e", check.error()),
              String.format(Locale.ROOT, "%.0e", check.allowed()),
              check.passed() ? "ok" : "FAILED"));
    }
    return table;
  }

  private static TextTable rateTable(List<Rate> rates) {
    TextTable table =
        new TextTable()
            .column("measurement", Align.LEFT)
            .column("seconds", Align.RIGHT)
            .column("a second", Align.RIGHT)
            .column("of peak", Align.RIGHT);
    for (Rate rate : rates) {
      table.row(
          List.of(
              rate.name(),
              String.format(Locale.ROOT, "%.4f", rate.seconds()),
              amount(rate.perSecond(), rate.unit()),
              Double.isNaN(rate.peakShare())
                  ? ""
                  : String.format(Locale.ROOT, "%.1f %%", 100 * rate.peakShare())));
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
