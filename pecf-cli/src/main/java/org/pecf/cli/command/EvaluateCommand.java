package org.pecf.cli.command;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.data.Part;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Seed;
import org.pecf.cli.Version;
import org.pecf.cli.console.Console;
import org.pecf.cli.option.DataOptions;
import org.pecf.cli.option.EvaluationOptions;
import org.pecf.cli.option.SettingOptions;
import org.pecf.cli.option.WorkOptions;
import org.pecf.cli.report.MetricsJson;
import org.pecf.cli.report.Tables;
import org.pecf.cli.run.NewPositives;
import org.pecf.cli.run.RecordedData;
import org.pecf.cli.run.RunSurroundings;
import org.pecf.engine.data.DataRequest;
import org.pecf.engine.data.Dataset;
import org.pecf.engine.evaluate.CandidatePolicy;
import org.pecf.engine.evaluate.EvaluationReport;
import org.pecf.engine.evaluate.EvaluationRequest;
import org.pecf.engine.evaluate.Evaluator;
import org.pecf.engine.file.OutputFile;
import org.pecf.engine.model.ModelStore;
import org.pecf.engine.model.StoredModel;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.run.RequestJson;
import org.pecf.engine.run.Workspace;
import org.pecf.engine.split.Confidence;
import org.pecf.engine.split.Split;
import org.pecf.engine.split.SplitRule;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Measure a stored model: on the data it was trained on, divided as it was then, or on the new
 * positives of other data.
 */
@CommandLine.Command(
    name = "evaluate",
    abbreviateSynopsis = true,
    description =
        "Measure a stored model: on what was held out of its own data, or, with --data, on new"
            + " positives of its users and items. Its own data is read again only if that is one"
            + " plain file or embedded; a folder, a query or the data of another plugin is to be"
            + " named with --data.")
public final class EvaluateCommand extends Command {
  @Parameters(paramLabel = "MODEL", description = "The folder of a model (see train --out).")
  private Path model;

  @Mixin private DataOptions data = new DataOptions();
  @Mixin private EvaluationOptions evaluation = new EvaluationOptions();
  @Mixin private WorkOptions options = new WorkOptions();

  @Option(
      names = "--metrics-json",
      paramLabel = "FILE",
      description = "Write the metrics to this file.")
  private Path metricsJson;

  /** Create the command. */
  public EvaluateCommand(Console console) {
    super(console);
  }

  @Override
  public Optional<SettingOptions> settings() {
    return Optional.of(options.settings());
  }

  @Override
  public int run() {
    Optional.ofNullable(metricsJson).ifPresent(file -> OutputFile.at(file).check());
    PluginCatalog catalog = catalog();
    DataRequest asked = data.request();
    WorkOptions.Work work = options.work(catalog, asked);
    try (RunSurroundings surroundings = new RunSurroundings(console(), common(), Optional.empty());
        Workspace workspace =
            work.workspace(catalog, surroundings.listener(), surroundings.interruption());
        StoredModel stored = ModelStore.open(model, workspace.allocator())) {
      RequestJson.Recorded before = RequestJson.read(stored.description().request());
      Map<String, EvaluationReport> reports = new LinkedHashMap<>();
      ObjectNode json = JsonNodeFactory.instance.objectNode();
      SplitRule split;
      EvaluationRequest request;
      try (Dataset dataset =
              data.given()
                  ? workspace.load(work.data())
                  : new RecordedData(before.data(), model, catalog).load(workspace);
          ComputeSession session = workspace.open(stored.ensemble().shape())) {
        boolean same = dataset.fingerprint().equals(stored.description().dataFingerprint());
        if (!same && !data.given()) {
          throw PecfException.badData(
              "%s has changed since the model was trained. Name the ratings to measure it on with"
                  + " --data.",
              before.data().location());
        }
        // Other data is a part of its own: no division of cells is known for it.
        split = same ? before.split() : SplitRule.parse("files");
        request =
            evaluation.request(
                same
                    ? before.evaluation()
                    : new EvaluationRequest(
                        before.evaluation().cutoffs(), CandidatePolicy.usual(split)));
        stored.ensemble().keepIn(session);
        Measurement measurement =
            new Measurement(stored, before.confidence(), request, session, workspace);
        if (same) {
          measurement.asBefore(dataset, before, reports);
        } else {
          measurement.onOther(dataset, reports);
        }
        json.set("data", MetricsJson.data(dataset));
      }
      surroundings.endDisplay();
      Map<String, Map<String, Double>> parts = new LinkedHashMap<>();
      reports.forEach((part, report) -> parts.put(part, report.named()));
      Tables.metrics(parts).forEach(console().out()::println);
      Tables.protocol(split, request).forEach(console().out()::println);
      if (metricsJson != null) {
        json.put("model", model.toString());
        json.set(
            "versions", MetricsJson.versions(Version.number(), stored.description().plugins()));
        json.set("protocol", MetricsJson.protocol(split, request));
        json.set("metrics", MetricsJson.metrics(reports));
        json.set("definitions", MetricsJson.definitions(reports));
        MetricsJson.write(json, metricsJson);
      }
      return 0;
    }
  }

  /** Measure one model on one session. */
  private record Measurement(
      StoredModel stored,
      Confidence confidence,
      EvaluationRequest request,
      ComputeSession session,
      Workspace workspace) {
    /** Divide the model's own data as its training did. */
    void asBefore(
        Dataset dataset, RequestJson.Recorded before, Map<String, EvaluationReport> reports) {
      Seed seed = new Seed(before.seed()).child("split");
      try (Split split = before.split().split(dataset, seed, workspace.allocator())) {
        if (split.validation().count() > 0) {
          reports.put("validation", report(split, Part.VALIDATION));
        }
        reports.put("test", report(split, Part.TEST));
      }
    }

    /** Take the positives of other data that training did not have. */
    void onOther(Dataset dataset, Map<String, EvaluationReport> reports) {
      NewPositives found = NewPositives.of(dataset, stored, workspace.allocator());
      try (SparseCells positives = found.cells();
          SparseCells none = NewPositives.none(stored, workspace.allocator())) {
        workspace.listener().on(found);
        // Borrows the training positives of the model: not to be closed as a whole.
        Split split = new Split(stored.training(), none, positives, Optional.empty());
        reports.put("new positives", report(split, Part.TEST));
      }
    }

    private EvaluationReport report(Split split, Part part) {
      return Evaluator.evaluate(
          stored.ensemble().prediction(),
          split.part(part),
          request,
          confidence,
          session,
          workspace.cancellation());
    }
  }
}
