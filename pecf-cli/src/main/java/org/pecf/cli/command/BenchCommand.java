package org.pecf.cli.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.pecf.api.PecfException;
import org.pecf.api.run.RunListener;
import org.pecf.cli.console.Console;
import org.pecf.cli.console.TextTable;
import org.pecf.cli.option.DataOptions;
import org.pecf.cli.option.RecordOptions;
import org.pecf.cli.option.WholeNumber;
import org.pecf.cli.option.WorkOptions;
import org.pecf.cli.report.MarkdownText;
import org.pecf.cli.report.RecommendationOutput;
import org.pecf.cli.report.RecommendationPrinter;
import org.pecf.cli.run.RunEnvironment;
import org.pecf.data.Dataset;
import org.pecf.engine.request.ComputeRequest;
import org.pecf.engine.run.Workspace;
import org.pecf.platform.file.FileProblem;
import org.pecf.platform.file.OutputFolder;
import org.pecf.platform.plugin.PluginCatalog;
import org.pecf.platform.plugin.ProviderKind;
import org.pecf.tools.bench.KernelBenchmark;
import org.pecf.tools.bench.KernelSetting;
import org.pecf.tools.bench.LoadingBenchmark;
import org.pecf.tools.bench.Measurement;
import org.pecf.tools.bench.ScalingBenchmark;
import org.pecf.tools.bench.ScalingPoint;
import org.pecf.tools.bench.ScalingReport;
import org.pecf.tools.bench.ServingBenchmark;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command that times the kernels of a backend. */
@CommandLine.Command(
    name = "bench",
    abbreviateSynopsis = true,
    description = "Time the kernels on ratings, beside what the machine can do.")
public class BenchCommand extends Command {
  @Mixin private DataOptions data = DataOptions.undivided();

  @Mixin private RecordOptions<KernelSetting> kernels = RecordOptions.ofKernels();

  @Option(
      names = "--repeat",
      converter = WholeNumber.class,
      paramLabel = "N",
      defaultValue = "3",
      description = "Report the best of this many repetitions (default: ${DEFAULT-VALUE}).")
  private int repeat;

  @Option(
      names = "--skip-dense",
      description = "Leave out the dense path, which takes long on large grids.")
  private boolean skipDense;

  @Option(
      names = "--loading",
      description = "Time the loading of a generated file instead, beside a scan for line ends.")
  private boolean loading;

  @Option(
      names = "--lines",
      converter = WholeNumber.class,
      paramLabel = "N",
      defaultValue = "20000000",
      description = "With --loading: how many ratings the file has (default: ${DEFAULT-VALUE}).")
  private int lines;

  @Option(
      names = "--scaling",
      description =
          "Measure instead how cost grows with users, items, positives, rank, members and"
              + " threads.")
  private boolean scaling;

  @Option(
      names = "--serving",
      description =
          "Time a stored model of this grid, rank and number of members instead: opening it, and"
              + " the lists of all users as files, beside bare ranking.")
  private boolean serving;

  @Option(
      names = "--skip-lists",
      description =
          "With --serving: leave out the lists of all users, which take long for large models.")
  private boolean skipLists;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "With --scaling: write the table and charts there as well.")
  private @Nullable Path out;

  @Mixin private WorkOptions options = WorkOptions.ofTraining();

  /** Create the command. */
  public BenchCommand(Console console) {
    super(console);
  }

  @Override
  public int run() {
    if (Stream.of(loading, scaling, serving).filter(chosen -> chosen).count() > 1) {
      throw PecfException.badOption(
          "--loading, --scaling and --serving exclude each other. Name one of them.");
    }
    if (out != null && !scaling) {
      throw PecfException.badOption("--out has an effect with --scaling only. Leave it out.");
    }
    if (skipLists && !serving) {
      throw PecfException.badOption(
          "--skip-lists has an effect with --serving only. Leave it out.");
    }
    if (repeat < 1) {
      throw PecfException.badOption("--repeat must be at least 1, not %d.", repeat);
    }
    if (out != null) {
      OutputFolder.at(out).checkWithin();
    }
    PluginCatalog catalog = catalog();
    WorkOptions.Work work = options.work(catalog, data.values());
    if (loading) {
      return loading(catalog, work);
    }
    if (serving) {
      return serving(catalog, work);
    }
    return scaling ? scaling(catalog, work) : kernels(catalog, work);
  }

  private int serving(PluginCatalog catalog, WorkOptions.Work work) {
    List<Measurement> measurements = new ArrayList<>();
    long bytes;
    try (RunEnvironment surroundings = environment(Optional.empty())) {
      Path folder = Files.createTempDirectory("pecf-serving");
      try (Workspace loading =
              work.workspace(catalog, surroundings.listener(), surroundings.interruption());
          Dataset dataset = loading.load(work.data())) {
        bytes =
            new ServingBenchmark(
                    () -> work.workspace(catalog, RunListener.none(), surroundings.interruption()),
                    folder,
                    repeat,
                    measurements::add)
                .run(
                    dataset,
                    kernels.values().rank(),
                    kernels.values().members(),
                    formats(catalog, loading),
                    !skipLists);
      } finally {
        ServingBenchmark.deleteAll(folder);
      }
      surroundings.endDisplay();
    } catch (IOException e) {
      throw PecfException.resources(
              "The temporary folder cannot be used (%s). Check that it has room for the model.", e)
          .causedBy(e);
    }
    TextTable table =
        new TextTable()
            .left("step")
            .right("wall s", "cpu s", "users per cpu second", "of bare ranking");
    double bare = measurements.get(0).perCpuSecond();
    for (Measurement measurement : measurements) {
      boolean rate = !measurement.unit().isEmpty();
      table.row(
          measurement.name(),
          String.format(Locale.ROOT, "%.4f", measurement.wallSeconds()),
          String.format(Locale.ROOT, "%.4f", measurement.cpuSeconds()),
          rate ? String.format(Locale.ROOT, "%.0f", measurement.perCpuSecond()) : "",
          rate && !skipLists
              ? String.format(Locale.ROOT, "%.0f %%", 100 * measurement.perCpuSecond() / bare)
              : "");
    }
    console().print(table);
    console().out().printf(Locale.ROOT, "The model has %.0f MB.%n", bytes / 1e6);
    return 0;
  }

  private List<ServingBenchmark.Format> formats(PluginCatalog catalog, Workspace workspace) {
    List<String> names = new ArrayList<>(List.of("csv", "jsonl", "arrow"));
    if (catalog.ids(ProviderKind.LOADER).contains("parquet")) {
      names.add("parquet");
    }
    return names.stream()
        .map(
            name ->
                new ServingBenchmark.Format(
                    name,
                    (lists, recommender, file) ->
                        RecommendationOutput.of(Optional.of(name), Optional.of(file), catalog)
                            .write(
                                lists,
                                new RecommendationPrinter.Content(
                                    recommender.users().kind(),
                                    recommender.items().kind(),
                                    Optional.empty(),
                                    console().page()),
                                console(),
                                workspace.context())))
        .toList();
  }

  private int kernels(PluginCatalog catalog, WorkOptions.Work work) {
    List<Measurement> measurements = new ArrayList<>();
    try (RunEnvironment surroundings = environment(Optional.empty());
        Workspace workspace =
            work.workspace(catalog, surroundings.listener(), surroundings.interruption());
        Dataset dataset = workspace.load(work.data())) {
      new KernelBenchmark(workspace, dataset, kernels.values(), repeat, measurements::add)
          .run(!skipDense);
      surroundings.endDisplay();
    }
    console().print(table(measurements));
    return 0;
  }

  private int loading(PluginCatalog catalog, WorkOptions.Work work) {
    List<Measurement> measurements = new ArrayList<>();
    long heap;
    long beside;
    try (RunEnvironment surroundings = environment(Optional.empty());
        Workspace workspace =
            work.workspace(catalog, surroundings.listener(), surroundings.interruption())) {
      heap =
          new LoadingBenchmark(
                  workspace, Math.max(1, lines), Math.max(1, repeat), measurements::add)
              .run();
      beside = workspace.allocator().getPeakMemoryAllocation();
      surroundings.endDisplay();
    }
    TextTable table =
        new TextTable().left("step").right("wall s", "cpu s", "rate per cpu second", "of the scan");
    double scan = measurements.get(0).perCpuSecond();
    for (Measurement measurement : measurements) {
      table.row(
          measurement.name(),
          String.format(Locale.ROOT, "%.3f", measurement.wallSeconds()),
          String.format(Locale.ROOT, "%.3f", measurement.cpuSeconds()),
          String.format(Locale.ROOT, "%.0f MB", measurement.perCpuSecond() / 1e6),
          String.format(Locale.ROOT, "%.0f %%", 100 * measurement.perCpuSecond() / scan));
    }
    console().print(table);
    console()
        .out()
        .printf(
            Locale.ROOT,
            "Largest heap in use: %.0f MB; largest memory beside it: %.0f MB.%n",
            heap / 1e6,
            beside / 1e6);
    return 0;
  }

  private int scaling(PluginCatalog catalog, WorkOptions.Work work) {
    List<ScalingPoint> points = new ArrayList<>();
    ComputeRequest compute = work.compute();
    try (RunEnvironment surroundings = environment(Optional.empty())) {
      new ScalingBenchmark(
              threads ->
                  new Workspace(
                      catalog,
                      new ComputeRequest(
                          compute.backend(),
                          threads,
                          compute.memory(),
                          compute.path(),
                          compute.weightError()),
                      RunListener.none(),
                      surroundings.interruption()),
              Math.max(1, repeat),
              points::add)
          .run(compute.threads());
      surroundings.endDisplay();
    }
    ScalingReport report = new ScalingReport(points);
    console().print(MarkdownText.lines(String.join("\n", report.table()), console().page()));
    if (out != null) {
      try {
        report.write(out);
      } catch (IOException e) {
        throw PecfException.resources(
                "Cannot write to %s (%s). Check that it can be written to.",
                out, FileProblem.reason(e))
            .causedBy(e);
      }
    }
    return 0;
  }

  private static String rate(Measurement measurement) {
    double rate = measurement.perCpuSecond();
    return rate < 1e8
        ? String.format(Locale.ROOT, "%.2f M%s", rate / 1e6, measurement.unit())
        : String.format(Locale.ROOT, "%.2f G%s", rate / 1e9, measurement.unit());
  }

  /** Show rates of flops also as a share of the large product's. */
  private static TextTable table(List<Measurement> measurements) {
    TextTable table =
        new TextTable()
            .left("kernel")
            .right("wall s", "cpu s", "rate per cpu second", "of matrix product");
    double peak = measurements.get(0).perCpuSecond();
    for (Measurement measurement : measurements) {
      boolean flops = measurement.unit().equals("flop");
      table.row(
          measurement.name(),
          String.format(Locale.ROOT, "%.4f", measurement.wallSeconds()),
          String.format(Locale.ROOT, "%.4f", measurement.cpuSeconds()),
          measurement.unit().isEmpty() ? "" : rate(measurement),
          flops
              ? String.format(Locale.ROOT, "%.1f %%", 100 * measurement.perCpuSecond() / peak)
              : "");
    }
    return table;
  }
}
