package org.pecf.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.cli.console.Console;
import org.pecf.cli.console.Figures;
import org.pecf.cli.console.Version;
import org.pecf.cli.option.CheckpointOptions;
import org.pecf.cli.option.OutputOptions;
import org.pecf.cli.option.SettingOptions;
import org.pecf.cli.option.TrainingOptions;
import org.pecf.cli.report.CreationTime;
import org.pecf.cli.report.MetricsJson;
import org.pecf.cli.report.Tables;
import org.pecf.cli.run.RunEnvironment;
import org.pecf.engine.file.OutputFolder;
import org.pecf.engine.model.Checkpoint;
import org.pecf.engine.model.ModelDescription;
import org.pecf.engine.model.ModelStore;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.request.TrainingRequest;
import org.pecf.engine.run.TrainingResult;
import org.pecf.engine.run.TrainingRun;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;

/** The command that trains and evaluates an ensemble. */
@CommandLine.Command(
    name = "train",
    abbreviateSynopsis = true,
    description = "Train and evaluate an ensemble; the word itself may be left out.")
public class TrainCommand extends Command {
  @Mixin private TrainingOptions options = new TrainingOptions();
  @Mixin private CheckpointOptions checkpoint = new CheckpointOptions();

  /** Create the command. */
  public TrainCommand(Console console) {
    super(console);
  }

  @Override
  public Optional<SettingOptions> settings() {
    return Optional.of(options.settings());
  }

  @Override
  public int run() {
    OutputOptions output = options.output();
    checkpoint.check(output);
    output.check(checkpoint.resume());
    try (RunEnvironment surroundings = new RunEnvironment(console(), common(), output.out())) {
      try {
        return train(surroundings);
      } catch (PecfException e) {
        surroundings.log().failed(e);
        if (e.code() == ErrorCode.CANCELLED) {
          surroundings.endDisplay();
          console().error("interrupted; nothing is kept");
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
    TrainingRequest request = options.request(catalog);
    OutputOptions output = options.output();
    if (output.out().isPresent()) {
      TrainingRun.checkStorable(request, catalog);
    }
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
    try (TrainingResult result =
        TrainingRun.execute(
            request,
            catalog,
            surroundings.listener(),
            surroundings.interruption(),
            checkpoint.request(output))) {
      surroundings.record().endPhase("evaluate");
      Optional<Path> place = output.out().map(out -> place(result, out));
      store(result, place, output.overwrite() || own, surroundings);
      surroundings.endDisplay();
      print(result, place, surroundings);
      return result.complete() ? 0 : surroundings.interruption().exitCode();
    }
  }

  /** Return where a result goes: the part of a run that was interrupted replaces no whole model. */
  private static Path place(TrainingResult result, Path out) {
    if (result.complete() || !holdsWholeModel(out)) {
      return out;
    }
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

  private void store(
      TrainingResult result, Optional<Path> place, boolean overwrite, RunEnvironment surroundings) {
    Instant now = CreationTime.now(System.getenv());
    place.ifPresent(
        folder -> {
          // Only a model of an interrupted run can be in the way of another.
          result.save(folder, overwrite || !result.complete(), now);
          surroundings.record().endPhase("save");
        });
    ObjectNode metrics = MetricsJson.of(result, surroundings.record(), Version.number(), now);
    place.ifPresent(folder -> MetricsJson.write(metrics, folder.resolve(MetricsJson.NAME)));
    options.output().metricsJson().ifPresent(file -> MetricsJson.write(metrics, file));
    place.ifPresent(surroundings.log()::finish);
    if (result.complete() && !checkpoint.keep()) {
      result.discardCheckpoint();
    }
  }

  private void print(TrainingResult result, Optional<Path> place, RunEnvironment surroundings) {
    PrintStream out = console().out();
    if (result.rounds().size() > 1) {
      Tables.rounds(result.rounds(), result.ensemble().weights()).forEach(out::println);
      out.println();
    }
    if (result.complete() && !result.reports().isEmpty()) {
      Map<String, Map<String, Double>> parts = new LinkedHashMap<>();
      result.reports().forEach((part, report) -> parts.put(part.toString(), report.named()));
      Tables.metrics(parts).forEach(out::println);
      Tables.protocol(result.request().split(), result.request().evaluation())
          .forEach(out::println);
      out.println();
    }
    out.println(
        (result.complete() ? "" : "interrupted; ")
            + result.ensemble().size()
            + (result.ensemble().size() == 1 ? " member" : " members")
            + ", "
            + Figures.seconds(surroundings.record().seconds().get("total"))
            + place.map(folder -> "; model in " + folder).orElse(""));
    if (!result.complete() && place.isPresent()) {
      out.println("the same command with --resume goes on from here");
    }
  }
}
