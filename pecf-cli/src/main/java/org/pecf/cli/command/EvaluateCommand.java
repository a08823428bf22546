package org.pecf.cli.command;

import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.pecf.api.plugin.Option;
import org.pecf.cli.option.RecordOptions;
import org.pecf.cli.option.Section;
import org.pecf.cli.option.WorkOptions;
import org.pecf.cli.report.MetricsJson;
import org.pecf.cli.report.Tables;
import org.pecf.cli.run.RunEnvironment;
import org.pecf.engine.data.DataRequest;
import org.pecf.engine.evaluate.CandidatePolicy;
import org.pecf.engine.evaluate.EvaluationRequest;
import org.pecf.engine.file.OutputFile;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.recommend.MeasuredModel;
import org.pecf.engine.recommend.ModelEvaluation;
import org.pecf.engine.resource.Workspace;
import picocli.CommandLine;

/** The command that measures a stored model, on its own data or on new positives. */
@CommandLine.Command(
    description =
        "Measure a stored model: on the parts of its own data that were held out, or, with --data,"
            + " on new positives of its users and items. Its own data is read again only if it is"
            + " embedded or one plain file; a folder, a query or the data of another plugin must be"
            + " named again with --data and --format.")
public final class EvaluateCommand extends ModelCommand {
  /** The output. */
  private record Options(
      @Option(value = "Write the metrics to this file", label = "FILE")
          Optional<Path> metricsJson) {}

  private final RecordOptions<DataRequest> data =
      add(RecordOptions.of(Section.DATA, DataRequest.SCHEMA))
          .unset("data", "those that the model was made from");

  private final RecordOptions<EvaluationRequest> measured =
      add(RecordOptions.of(Section.EVALUATION, EvaluationRequest.SCHEMA))
          .unset("as when the model was trained");

  private final RecordOptions<Options> options = add(MethodHandles.lookup(), Options.class);

  private final WorkOptions work = add(WorkOptions.ofRanking());

  @Override
  public int run() {
    options.get().metricsJson().ifPresent(file -> OutputFile.at(file).check());
    PluginCatalog catalog = catalog();
    WorkOptions.Work resources = work.work(catalog, data.get());
    ModelEvaluation evaluation = evaluation();
    if (data.names("data")) {
      evaluation.data(resources.data());
    }
    try (RunEnvironment surroundings = environment(Optional.empty());
        Workspace workspace =
            resources.workspace(catalog, surroundings.listener(), surroundings.interruption())) {
      MeasuredModel result = evaluation.run(workspace);
      surroundings.endDisplay();
      print(result);
      warnIfIncomplete(result.description());
      return 0;
    }
  }

  /** Return the evaluation that options ask for. */
  private ModelEvaluation evaluation() {
    ModelEvaluation evaluation = ModelEvaluation.of(model());
    Map<String, String> texts = measured.texts();
    EvaluationRequest request =
        EvaluationRequest.SCHEMA.with(
            "", new EvaluationRequest(List.of(1), CandidatePolicy.ALL), texts);
    if (texts.containsKey("cutoffs")) {
      evaluation.cutoffs(request.cutoffs());
    }
    if (texts.containsKey("candidates")) {
      evaluation.candidates(request.candidates());
    }
    if (texts.containsKey("sample-users")) {
      evaluation.sampleUsers(request.sampleUsers());
    }
    if (texts.containsKey("metrics")) {
      evaluation.metrics(request.metrics());
    }
    return evaluation;
  }

  private void print(MeasuredModel result) {
    console().print(Tables.reports(result.reports(), console().page()));
    Tables.protocol(result.split(), result.evaluation()).forEach(console().out()::println);
    options
        .get()
        .metricsJson()
        .ifPresent(file -> MetricsJson.write(MetricsJson.of(result, model()), file));
  }
}
