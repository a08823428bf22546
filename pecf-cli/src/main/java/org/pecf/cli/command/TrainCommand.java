package org.pecf.cli.command;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.data.Part;
import org.pecf.cli.console.Console;
import org.pecf.cli.console.Figures;
import org.pecf.cli.console.ProgressForm;
import org.pecf.cli.console.TextTable;
import org.pecf.cli.console.Version;
import org.pecf.cli.option.CheckpointOptions;
import org.pecf.cli.option.EffortOptions;
import org.pecf.cli.option.OutputOptions;
import org.pecf.cli.option.SparkOptions;
import org.pecf.cli.option.TrainingOptions;
import org.pecf.cli.report.CommandText;
import org.pecf.cli.report.CreationTime;
import org.pecf.cli.report.MetricsJson;
import org.pecf.cli.report.Tables;
import org.pecf.cli.run.RunEnvironment;
import org.pecf.cli.run.SparkSubmission;
import org.pecf.engine.file.OutputFolder;
import org.pecf.engine.model.Checkpoint;
import org.pecf.engine.model.ModelDescription;
import org.pecf.engine.model.ModelStore;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.request.RequestOptions;
import org.pecf.engine.request.TrainingRequest;
import org.pecf.engine.run.Comparison;
import org.pecf.engine.run.PreparedData;
import org.pecf.engine.run.TrainingResult;
import org.pecf.engine.run.TrainingRun;
import org.pecf.engine.run.UnfinishedRun;
import org.pecf.study.effort.Effort;
import org.pecf.study.effort.SettingsChosen;
import org.pecf.study.effort.SettingsSearch;
import org.pecf.study.report.ReportFiles;
import org.pecf.study.report.TrainingReport;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;

/** The command that trains and evaluates an ensemble. */
@CommandLine.Command(
    name = "train",
    abbreviateSynopsis = true,
    description = "Train and evaluate an ensemble; the word itself may be left out.")
public class TrainCommand extends Command {
  private static final String NOTHING = "interrupted before a member was finished; nothing is kept";

  @Mixin private TrainingOptions options = new TrainingOptions(SettingsSearch.chosen());
  @Mixin private CheckpointOptions checkpoint = new CheckpointOptions();
  @Mixin private EffortOptions effort = new EffortOptions();
  @Mixin private SparkOptions spark = new SparkOptions();

  /** Create the command. */
  public TrainCommand(Console console) {
    super(console);
  }

  @Override
  public int run() {
    OutputOptions output = options.output();
    checkpoint.check(output);
    output.check(checkpoint.resume());
    Map<String, String> given = options.given().given();
    if (SparkSubmission.isAsked(given)) {
      if (output.overwrite()
          || output.metricsJson().isPresent()
          || checkpoint.resume()
          || effort.given()) {
        throw PecfException.badOption(
            "--overwrite, --metrics-json, --resume and --effort have no effect on Spark. Leave them"
                + " out.");
      }
      given = new LinkedHashMap<>(given);
      given.putAll(spark.given());
      if (output.refit()) {
        given.put("refit", "true");
      }
      return SparkSubmission.of(given, output.out(), System.getenv()).run();
    }
    if (!spark.given().isEmpty()) {
      throw PecfException.badOption(
          "--%s has an effect on Spark only. Add --backend spark, or leave it out.",
          String.join(", --", spark.given().keySet()));
    }
    try (RunEnvironment surroundings = environment(output.out())) {
      surroundings.interruption().lastResort(() -> console().error(NOTHING));
      try {
        return train(surroundings);
      } catch (PecfException e) {
        surroundings.log().failed(e);
        if (e.code() == ErrorCode.CANCELLED) {
          surroundings.endDisplay();
          console().error(NOTHING);
          return surroundings.interruption().exitCode();
        }
        throw e;
      } catch (RuntimeException | Error e) {
        surroundings.log().failed(e);
        throw e;
      }
    }
  }

  private int train(RunEnvironment surroundings) {
    PluginCatalog catalog = catalog();
    RequestOptions texts = options.given();
    Optional<Effort> asked = effort.effort(texts, texts.trial(catalog));
    // A search selects by the metric, whatever the training that follows does.
    TrainingRequest given = asked.isPresent() ? texts.trial(catalog) : texts.request(catalog);
    if (options.output().refit()) {
      TrainingRun.checkRefit(given, catalog);
    }
    if (options.output().out().isPresent()) {
      TrainingRun.checkStorable(given, catalog);
    }
    try (PreparedData data =
        TrainingRun.prepare(given, catalog, surroundings.listener(), surroundings.interruption())) {
      Optional<SettingsChosen> chosen = asked.flatMap(work -> choose(work, given, data));
      TrainingRequest request =
          chosen
              .map(found -> texts.with(found.options()).trial(catalog))
              .orElseGet(() -> texts.request(catalog));
      return train(request, chosen, data, surroundings);
    }
  }

  /** Choose settings, unless that was not asked for and nothing is there to choose by. */
  private Optional<SettingsChosen> choose(Effort work, TrainingRequest given, PreparedData data) {
    if (!effort.given() && data.split(given.split(), given.seed()).validation().count() == 0) {
      return Optional.empty();
    }
    return Optional.of(SettingsSearch.search(options.given(), work, data));
  }

  private int train(
      TrainingRequest request,
      Optional<SettingsChosen> chosen,
      PreparedData data,
      RunEnvironment surroundings) {
    OutputOptions output = options.output();
    boolean own = false;
    if (checkpoint.resume()) {
      Path out = output.out().orElseThrow();
      Optional<ModelDescription> stored = TrainingRun.stored(request, out);
      own = stored.isPresent();
      if (own
          && stored.get().complete()
          && !Checkpoint.exists(checkpoint.request(output).orElseThrow().folder())) {
        surroundings.endDisplay();
        console().out().println("the run is complete already; model in " + out);
        return 0;
      }
      ModelStore.checkPlace(out, output.overwrite() || own);
    }
    boolean overwrite = output.overwrite() || own;
    UnfinishedRun unfinished = new UnfinishedRun();
    surroundings
        .interruption()
        .lastResort(
            () ->
                unfinished
                    .result()
                    .ifPresentOrElse(
                        part -> keep(measured(part, chosen, overwrite), "", surroundings),
                        () -> console().error(NOTHING)));
    try (TrainingResult result =
        TrainingRun.execute(
            request,
            data,
            EnumSet.of(Part.VALIDATION, Part.TEST),
            checkpoint.request(output),
            checkpoint.library(),
            unfinished)) {
      surroundings.record().endPhase("evaluate");
      Measured uncompared = measured(result, chosen, overwrite);
      surroundings.interruption().lastResort(() -> keep(uncompared, "", surroundings));
      Measured measured = uncompared.with(compared(result));
      surroundings.record().endPhase("compare");
      if (options.output().refit() && result.complete()) {
        return refit(measured, surroundings);
      }
      surroundings.endDisplay();
      keep(measured, "", surroundings);
      return result.complete() ? 0 : surroundings.interruption().exitCode();
    }
  }

  private Measured measured(
      TrainingResult result, Optional<SettingsChosen> chosen, boolean overwrite) {
    Optional<Path> place = options.output().out().map(out -> place(result, out));
    return new Measured(result, Optional.empty(), chosen, place, overwrite);
  }

  /** Measure simpler predictions beside a whole result; that is not worth losing it. */
  private static Optional<Comparison> compared(TrainingResult result) {
    try {
      return result.complete() ? result.compare() : Optional.empty();
    } catch (PecfException e) {
      if (e.code() != ErrorCode.CANCELLED) {
        throw e;
      }
      return Optional.empty();
    }
  }

  /**
   * Print and store a measured ensemble.
   *
   * @param how the words for how it was trained, if there is anything to say
   */
  private void keep(Measured measured, String how, RunEnvironment surroundings) {
    print(measured, Optional.empty());
    store(measured, Optional.empty(), surroundings);
    if (measured.result().complete() && how.isEmpty()) {
      endCheckpoint(measured.result());
    }
    finish(measured, measured.result(), how, surroundings);
  }

  /**
   * A measured ensemble.
   *
   * @param result the ensemble and its metrics
   * @param comparison simpler predictions beside it, if it was measured
   * @param chosen the settings that were chosen for it, if any were
   * @param place the folder that it goes to, if any
   * @param overwrite whether a model there is replaced
   */
  private record Measured(
      TrainingResult result,
      Optional<Comparison> comparison,
      Optional<SettingsChosen> chosen,
      Optional<Path> place,
      boolean overwrite) {
    Measured with(Optional<Comparison> beside) {
      return new Measured(result, beside, chosen, place, overwrite);
    }
  }

  /** Return where a result goes: the part of a run that was interrupted replaces no whole model. */
  private static Path place(TrainingResult result, Path out) {
    if (result.complete() || !holdsWholeModel(out)) {
      return out;
    }
    return partial(out);
  }

  private static Path partial(Path out) {
    Path place = OutputFolder.at(out).place();
    return place.resolveSibling(place.getFileName() + ".partial");
  }

  private static boolean holdsWholeModel(Path out) {
    try {
      return ModelStore.exists(out) && ModelStore.describe(out).complete();
    } catch (PecfException e) {
      // It may be whole to whoever wrote it.
      return true;
    }
  }

  private void endCheckpoint(TrainingResult result) {
    if (!checkpoint.keep()) {
      result.discardCheckpoint();
    }
  }

  /** Train the plan on all data and store that, or the measured ensemble if this is cancelled. */
  private int refit(Measured measured, RunEnvironment surroundings) {
    TrainingResult result = measured.result();
    String unfitted = ", as measured: the refit was interrupted";
    surroundings.interruption().lastResort(() -> keep(measured, unfitted, surroundings));
    try (TrainingResult all = result.refit()) {
      surroundings.record().endPhase("refit");
      surroundings.endDisplay();
      print(measured, Optional.of(all));
      store(measured, Optional.of(all), surroundings);
      endCheckpoint(result);
      String trained = ", trained on all " + Figures.count(all.split().training().count());
      finish(measured, all, trained + " positives", surroundings);
      return 0;
    } catch (PecfException e) {
      if (e.code() != ErrorCode.CANCELLED) {
        throw e;
      }
      surroundings.endDisplay();
      keep(measured, unfitted, surroundings);
      return surroundings.interruption().exitCode();
    }
  }

  private void store(
      Measured measured, Optional<TrainingResult> refitted, RunEnvironment surroundings) {
    Instant now = CreationTime.now(System.getenv());
    TrainingResult result = measured.result();
    measured
        .place()
        .ifPresent(
            folder -> {
              // Only a model of an interrupted run can be in the way of another.
              boolean replaced = measured.overwrite() || !result.complete();
              refitted.orElse(result).save(folder, replaced, now);
              surroundings.record().endPhase("save");
            });
    MetricsJson.OfTraining metrics =
        MetricsJson.of(
            result,
            refitted,
            measured.comparison(),
            measured.chosen(),
            surroundings.record(),
            Version.number(),
            now);
    measured
        .place()
        .ifPresent(
            folder -> {
              MetricsJson.write(metrics, folder.resolve(MetricsJson.NAME));
              ReportFiles.write(
                  folder,
                  result,
                  measured.comparison(),
                  surroundings.record().seconds(),
                  surroundings.record().bytes(),
                  Version.number());
            });
    options.output().metricsJson().ifPresent(file -> MetricsJson.write(metrics, file));
    measured.place().ifPresent(surroundings.log()::finish);
    if (result.complete()) {
      measured.place().ifPresent(place -> ModelStore.discardIncomplete(partial(place)));
    }
  }

  private void print(Measured measured, Optional<TrainingResult> refitted) {
    TrainingResult result = measured.result();
    PrintStream out = console().out();
    if (result.rounds().size() > 1) {
      Tables.rounds(result.rounds(), result.weights(), console().page()).forEach(out::println);
      out.println();
    }
    if (result.complete() && !result.reports().isEmpty()) {
      console().print(Tables.reports(result.reports(), console().page()));
      Tables.protocol(result.request().split(), result.request().evaluation())
          .forEach(out::println);
      refitted.ifPresent(all -> out.println("measured before the refit, on " + all.metricsOf()));
      out.println();
    }
    measured
        .comparison()
        .ifPresent(
            beside -> {
              console().print(Tables.comparison(beside));
              out.println();
            });
    measured.chosen().ifPresent(chosen -> print(chosen, result));
  }

  /** Print why settings were chosen, and the options that repeat the run without a search. */
  private void print(SettingsChosen chosen, TrainingResult result) {
    PrintStream out = console().out();
    out.println("settings chosen on the validation part (--effort " + chosen.effort() + "):");
    int columns = console().page().columns();
    chosen
        .reasons()
        .forEach(
            reason ->
                TextTable.broken(reason, columns - 2).forEach(line -> out.println("  " + line)));
    Map<String, String> repeated =
        new LinkedHashMap<>(options.given().with(chosen.options()).given());
    if (repeated.remove("patience") != null && result.complete()) {
      repeated.put("rounds", Integer.toString(result.ensemble().size() - 1));
    }
    if (!repeated.containsKey("patience") && !result.request().ensemble().weights().fitted()) {
      repeated.remove("select");
    }
    CommandText.lines(
            "the same model without the search: "
                + CommandText.of("pecf-run", repeated)
                + (options.output().refit() ? " --refit" : ""),
            columns)
        .forEach(out::println);
    out.println();
  }

  private void finish(
      Measured measured, TrainingResult stored, String how, RunEnvironment surroundings) {
    console()
        .out()
        .printf(
            "%s%d %s%s, %s%s%n",
            stored.complete() ? "" : "interrupted; ",
            stored.ensemble().size(),
            stored.ensemble().size() == 1 ? "member" : "members",
            how,
            Figures.seconds(surroundings.record().seconds().getOrDefault("total", 0.0)),
            measured.place().map(place -> "; model in " + place).orElse(""));
    if (!stored.complete() && measured.place().isPresent()) {
      console().out().println("the same command with --resume goes on from here");
    } else if (stored.complete()) {
      suggestNext(measured);
    }
  }

  /** Name what to look at and the command to try next, to people. */
  private void suggestNext(Measured measured) {
    if (common().progress() == ProgressForm.NONE || common().progress() == ProgressForm.JSON) {
      return;
    }
    PrintStream err = console().err();
    if (measured.place().isPresent()) {
      Path place = measured.place().get();
      Path report = place.resolve(TrainingReport.NAME);
      if (Files.exists(report)) {
        err.println("report: " + report);
      }
      err.println(
          "next: " + CommandText.of("pecf-run serve", place.toString()) + " shows its lists");
    } else {
      Map<String, String> keeping = new LinkedHashMap<>(options.given().given());
      effort.text().ifPresent(text -> keeping.put("effort", text));
      keeping.put("out", "model");
      err.println(
          "next: "
              + CommandText.of("pecf-run", keeping)
              + " keeps the model; then pecf-run serve model shows its lists");
    }
    err.flush();
  }
}
