package org.pecf.cli.command;

import java.io.PrintStream;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.compute.Availability;
import org.pecf.api.plugin.Option;
import org.pecf.cli.console.TextTable;
import org.pecf.cli.console.TextTable.Align;
import org.pecf.cli.console.Version;
import org.pecf.cli.option.CommonOptions;
import org.pecf.cli.option.RecordOptions;
import org.pecf.cli.option.SettingOptions;
import org.pecf.cli.report.Diagnostics;
import org.pecf.cli.run.RunEnvironment;
import org.pecf.engine.plugin.Backend;
import org.pecf.engine.plugin.Diagnostic;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.PluginInspection;
import org.pecf.engine.plugin.PluginReport;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.plugin.ProviderKind;
import org.pecf.engine.plugin.verify.ContractProcess;
import org.pecf.engine.request.ComputeRequest;
import org.pecf.engine.request.ProviderSelection;
import org.pecf.engine.request.RequestOptions;
import org.pecf.engine.resource.Workspace;
import org.pecf.engine.selftest.BackendComparison;
import org.pecf.engine.selftest.BackendComparison.Difference;
import org.pecf.engine.selftest.BackendComparison.SessionSource;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

/** The command that runs a backend against its contract. */
@CommandLine.Command(
    description = {
      "Run a backend against its contract, compare it with the cpu backend on large grids, and"
          + " print",
      "a report to attach to an issue.",
      "Exit code 3 if it breaks a rule or computes something else."
    })
public final class BackendsSelftestCommand extends Command {
  /** The backend that others are compared with. */
  private static final String REFERENCE = "cpu";

  private static final Duration CONTRACT_LIMIT = Duration.ofMinutes(30);

  @Parameters(paramLabel = "ID", description = "The backend; see 'pecf-run backends'.")
  private String backend;

  /** The size. */
  private record Options(
      @Option(value = "Compare on small grids, which takes a second", defaultValue = "false")
          boolean small) {}

  private final RecordOptions<SettingOptions> settings = add(SettingOptions.options());
  private final RecordOptions<Options> options = add(MethodHandles.lookup(), Options.class);

  @Override
  public int run() {
    PluginCatalog catalog = catalog();
    ProviderChoice choice = choice(catalog);
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
    int code = Diagnostics.exitCode(diagnostics);
    if (code == 0) {
      measure(catalog, tested, differences);
    }
    print(choice, availability, diagnostics, differences);
    return differences.stream().allMatch(Difference::agrees)
        ? code
        : ErrorCode.UNAVAILABLE.exitCode();
  }

  /** Return the backend with all its options spelt out and checked. */
  private ProviderChoice choice(PluginCatalog catalog) {
    ProviderSelection providers = new ProviderSelection(catalog);
    providers.use(ProviderKind.BACKEND, ProviderChoice.parse(backend));
    providers.set(new RequestOptions(settings.get().values()));
    return providers.choice(ProviderKind.BACKEND);
  }

  private static List<Path> jars(PluginCatalog catalog, ProviderChoice choice) {
    PluginReport plugin = catalog.origin(ProviderKind.BACKEND, choice.id());
    return plugin.builtIn() ? List.of() : PluginInspection.of(Path.of(plugin.location())).jars();
  }

  private void measure(PluginCatalog catalog, Backend tested, List<Difference> differences) {
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
        new BackendComparison(sessions, reference, !options.get().small())
            .compare(differences::add);
      }
      surroundings.endDisplay();
    }
  }

  private void print(
      ProviderChoice choice,
      Availability availability,
      List<Diagnostic> diagnostics,
      List<Difference> differences) {
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
}
