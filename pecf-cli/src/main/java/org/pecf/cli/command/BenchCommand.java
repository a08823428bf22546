package org.pecf.cli.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.pecf.cli.console.Console;
import org.pecf.cli.console.TextTable;
import org.pecf.cli.console.TextTable.Align;
import org.pecf.cli.option.DataOptions;
import org.pecf.cli.option.SettingOptions;
import org.pecf.cli.option.WorkOptions;
import org.pecf.cli.run.RunSurroundings;
import org.pecf.engine.bench.KernelBenchmark;
import org.pecf.engine.bench.Measurement;
import org.pecf.engine.data.Dataset;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.run.Workspace;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Time the kernels of a backend. */
@CommandLine.Command(
    name = "bench",
    abbreviateSynopsis = true,
    description = "Time the kernels on ratings, beside what the machine can do.")
public class BenchCommand extends Command {
  @Mixin private DataOptions data = new DataOptions();
  @Mixin private WorkOptions options = new WorkOptions();

  @Option(
      names = "--rank",
      paramLabel = "D",
      defaultValue = "50",
      description = "How many factors (default: ${DEFAULT-VALUE}).")
  private int rank;

  @Option(
      names = "--members",
      paramLabel = "N",
      defaultValue = "15",
      description = "How many members the ranked ensemble has (default: ${DEFAULT-VALUE}).")
  private int members;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      defaultValue = "3",
      description = "Report the best of so many repetitions (default: ${DEFAULT-VALUE}).")
  private int repeat;

  @Option(
      names = "--skip-dense",
      description = "Leave out the dense path, which takes long on large grids.")
  private boolean skipDense;

  /** Create the command. */
  public BenchCommand(Console console) {
    super(console);
  }

  @Override
  public Optional<SettingOptions> settings() {
    return Optional.of(options.settings());
  }

  @Override
  public int run() {
    PluginCatalog catalog = catalog();
    WorkOptions.Work work = options.work(catalog, data.request());
    List<Measurement> measurements = new ArrayList<>();
    try (RunSurroundings surroundings = new RunSurroundings(console(), common(), Optional.empty());
        Workspace workspace =
            work.workspace(catalog, surroundings.listener(), surroundings.interruption());
        Dataset dataset = workspace.load(work.data())) {
      new KernelBenchmark(
              workspace,
              dataset,
              Math.max(1, rank),
              Math.max(1, members),
              Math.max(1, repeat),
              measurements::add)
          .run(!skipDense);
      surroundings.endDisplay();
    }
    table(measurements).lines().forEach(console().out()::println);
    return 0;
  }

  /** Show rates of flops also as a share of the large product's. */
  private static TextTable table(List<Measurement> measurements) {
    TextTable table =
        new TextTable()
            .column("kernel", Align.LEFT)
            .column("wall s", Align.RIGHT)
            .column("cpu s", Align.RIGHT)
            .column("rate per cpu second", Align.RIGHT)
            .column("of matrix product", Align.RIGHT);
    double peak = measurements.get(0).perCpuSecond();
    for (Measurement measurement : measurements) {
      boolean flops = measurement.unit().equals("flop");
      table.row(
          List.of(
              measurement.name(),
              String.format(Locale.ROOT, "%.4f", measurement.wallSeconds()),
              String.format(Locale.ROOT, "%.4f", measurement.cpuSeconds()),
              measurement.unit().isEmpty()
                  ? ""
                  : String.format(
                      Locale.ROOT,
                      "%.2f G%s",
                      measurement.perCpuSecond() / 1e9,
                      measurement.unit()),
              flops
                  ? String.format(Locale.ROOT, "%.1f %%", 100 * measurement.perCpuSecond() / peak)
                  : ""));
    }
    return table;
  }
}
