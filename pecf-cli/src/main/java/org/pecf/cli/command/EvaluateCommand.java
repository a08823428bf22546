package org.pecf.cli.command;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.pecf.cli.console.Console;
import org.pecf.cli.console.Version;
import org.pecf.cli.option.DataOptions;
import org.pecf.cli.option.EvaluationOptions;
import org.pecf.cli.option.WorkOptions;
import org.pecf.cli.report.MetricsJson;
import org.pecf.cli.report.Tables;
import org.pecf.cli.run.RunEnvironment;
import org.pecf.engine.file.OutputFile;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.recommend.MeasuredModel;
import org.pecf.engine.recommend.ModelEvaluation;
import org.pecf.engine.resource.Workspace;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that measures a stored model, on its own data or on new positives. */
@CommandLine.Command(
    name = "evaluate",
    abbreviateSynopsis = true,
    description =
        "Measure a stored model: on the parts of its own data that were held out, or, with --data,"
            + " on new positives of its users and items. Its own data is read again only if it is"
            + " embedded or one plain file; a folder, a query or the data of another plugin must be"
            + " named again with --data and --format.")
public final class EvaluateCommand extends Command {
  @Parameters(paramLabel = "MODEL", description = "The folder of a model (see train --out).")
  private Path model;

  @Mixin private DataOptions data = DataOptions.ofModel();
  @Mixin private EvaluationOptions measured = new EvaluationOptions();

  @Option(
      names = "--metrics-json",
      paramLabel = "FILE",
      description = "Write the metrics to this file.")
  private @Nullable Path metricsJson;

  @Mixin private WorkOptions options = WorkOptions.ofRanking();

  /** Create the command. */
  public EvaluateCommand(Console console) {
    super(console);
  }

  @Override
  public int run() {
    Optional.ofNullable(metricsJson).ifPresent(file -> OutputFile.at(file).check());
    PluginCatalog catalog = catalog();
    WorkOptions.Work work = options.work(catalog, data.values());
    ModelEvaluation evaluation = ModelEvaluation.of(model);
    measured.applyTo(evaluation);
    if (data.given()) {
      evaluation.data(work.data());
    }
    try (RunEnvironment surroundings = environment(Optional.empty());
        Workspace workspace =
            work.workspace(catalog, surroundings.listener(), surroundings.interruption())) {
      MeasuredModel result = evaluation.run(workspace);
      surroundings.endDisplay();
      print(result);
      warnIfIncomplete(model, result.description());
      return 0;
    }
  }

  private void print(MeasuredModel result) {
    console().print(Tables.reports(result.reports(), console().page()));
    Tables.protocol(result.split(), result.evaluation()).forEach(console().out()::println);
    if (metricsJson != null) {
      MetricsJson.write(MetricsJson.of(result, model, Version.number()), metricsJson);
    }
  }
}
