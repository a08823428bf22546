package org.pecf.cli.command;

import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.cli.console.Display;
import org.pecf.cli.console.Version;
import org.pecf.cli.option.CheckpointOptions;
import org.pecf.cli.option.OutputOptions;
import org.pecf.cli.option.RecordOptions;
import org.pecf.cli.option.Section;
import org.pecf.cli.option.TrainingOptions;
import org.pecf.cli.report.CreationTime;
import org.pecf.cli.report.MetricsJson;
import org.pecf.cli.report.TrainingPrinter;
import org.pecf.cli.run.RunDetails;
import org.pecf.cli.run.RunEnvironment;
import org.pecf.cli.run.SparkSubmission;
import org.pecf.engine.effort.Race;
import org.pecf.engine.file.OutputFolder;
import org.pecf.engine.model.CheckpointFolder;
import org.pecf.engine.model.ModelDescription;
import org.pecf.engine.model.ModelStore;
import org.pecf.engine.run.Training;
import org.pecf.engine.run.TrainingResult;
import org.pecf.engine.run.TrainingRun;
import org.pecf.study.report.TrainingReport;
import picocli.CommandLine;

/** The command that trains and evaluates an ensemble. */
@CommandLine.Command(
    description = "Train and evaluate an ensemble; the word itself may be left out.")
public class TrainCommand extends Command {
  private static final String NOTHING = "interrupted before a member was finished; nothing is kept";

  private static final Pattern TIME = Pattern.compile("([1-9][0-9]{0,5})([smh])");

  /** The work that is spent on finding filters and settings. */
  private record Effort(
      @Option(
              value =
                  "How much work is spent on choosing filters, their settings and their weights for"
                      + " the data: none, quick, normal or thorough",
              label = "HOW",
              unset = "quick if no setting is given, else none")
          Optional<String> effort,
      @Option(
              value =
                  "The processor time to spend on that instead, such as 90s, 10m or 2h; unlike an"
                      + " effort it may choose otherwise on another machine",
              label = "TIME",
              unset = "no limit but that of the effort")
          Optional<String> budget) {}

  private final RecordOptions<Effort> efforts =
      add(
          RecordOptions.of(
              Section.ENSEMBLE, OptionSchema.of(MethodHandles.lookup(), Effort.class)));
  private final TrainingOptions options = add(TrainingOptions.options(Race.chosen()));
  private final RecordOptions<CheckpointOptions> checkpoints = add(CheckpointOptions.options());
  private final RecordOptions<SparkSubmission.Options> spark =
      add(SparkSubmission.Options.options());

  @Override
  public int run() {
    OutputOptions output = options.output().get();
    CheckpointOptions checkpoint = checkpoints.get();
    checkpoint.check(output);
    output.check(checkpoint.resume());
    Map<String, String> given = options.given().given();
    if (SparkSubmission.isAsked(given)) {
      return trainOnSpark(given, output);
    }
    Map<String, String> idle = spark.texts();
    if (!idle.isEmpty()) {
      throw PecfException.badOption(
          "--%s has an effect on Spark only. Add --backend spark, or leave it out.",
          String.join(", --", idle.keySet()));
    }
    try (RunEnvironment surroundings = environment(output.out())) {
      surroundings.interruption().lastResort(() -> console().error(NOTHING));
      try {
        return train(surroundings);
      } catch (RuntimeException | Error e) {
        surroundings.log().failed(e);
        if (e instanceof PecfException known && known.code() == ErrorCode.CANCELLED) {
          surroundings.endDisplay();
          console().error(NOTHING);
          return surroundings.interruption().exitCode();
        }
        throw e;
      }
    }
  }

  private int trainOnSpark(Map<String, String> given, OutputOptions output) {
    if (output.overwrite()
        || output.metricsJson().isPresent()
        || checkpoints.get().resume()
        || output.finalParts().isPresent()
        || effort().isPresent()) {
      throw PecfException.badOption(
          "--overwrite, --metrics-json, --resume, --final, --effort and --budget have no effect on"
              + " Spark. Leave them out.");
    }
    Map<String, String> texts = new LinkedHashMap<>(given);
    texts.putAll(spark.texts());
    if (output.refit()) {
      texts.put("refit", "true");
    }
    return SparkSubmission.of(texts, output.out(), System.getenv()).run();
  }

  /** Return the effort, if one was asked for. */
  private Optional<String> effort() {
    Effort asked = efforts.get();
    return asked.effort().or(() -> asked.budget().map(time -> "thorough"));
  }

  private static Duration time(String text) {
    Matcher matcher = TIME.matcher(text.strip());
    if (!matcher.matches()) {
      throw PecfException.badOption(
          "'%s' is not a time. Write a whole number and s, m or h, such as 10m.", text);
    }
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      default -> Duration.ofHours(number);
    };
  }

  private int train(RunEnvironment surroundings) {
    OutputOptions output = options.output().get();
    CheckpointOptions checkpoint = checkpoints.get();
    Training training =
        Training.with(options.given(), catalog())
            .effort(effort().orElse(Race.AUTO))
            .budget(efforts.get().budget().map(TrainCommand::time))
            .compare()
            .refit(output.again())
            .toBeStored(output.out().isPresent())
            .checkpoints(checkpoint.request(output))
            .library(checkpoint.library())
            .listener(surroundings.listener())
            .cancellation(surroundings.interruption());
    try (TrainingRun run = training.begin()) {
      boolean own = false;
      if (checkpoint.resume()) {
        Path out = output.out().orElseThrow();
        Optional<ModelDescription> stored = run.stored(out);
        own = stored.isPresent();
        if (own
            && stored.get().complete()
            && !CheckpointFolder.exists(checkpoint.request(output).orElseThrow().folder())) {
          surroundings.endDisplay();
          console().out().println("the run is complete already; model in " + out);
          return 0;
        }
        ModelStore.checkPlace(out, output.overwrite() || own);
      }
      boolean overwrite = output.overwrite() || own;
      surroundings
          .interruption()
          .lastResort(
              () ->
                  run.soFar()
                      .ifPresentOrElse(
                          part -> keep(part, overwrite, surroundings),
                          () -> console().error(NOTHING)));
      try (TrainingResult result = run.run()) {
        surroundings.endDisplay();
        keep(result, overwrite, surroundings);
        return ended(result) ? 0 : surroundings.interruption().exitCode();
      }
    }
  }

  /** Return whether a run did everything that was asked for. */
  private boolean ended(TrainingResult result) {
    return result.complete()
        && (result.refitted().isPresent() || options.output().get().again().isEmpty());
  }

  /**
   * Print and store a result.
   *
   * @param overwrite whether a model in its folder is replaced
   */
  private void keep(TrainingResult result, boolean overwrite, RunEnvironment surroundings) {
    OutputOptions output = options.output().get();
    Optional<Path> place = output.out().map(out -> place(result, out));
    TrainingPrinter printer = new TrainingPrinter(console(), options.given(), output.again());
    printer.printTables(result);
    store(result, place, overwrite, surroundings);
    if (ended(result) && !checkpoints.get().keep()) {
      result.discardCheckpoint();
    }
    printer.printEnd(result, place, surroundings.record().seconds().getOrDefault("total", 0.0));
    boolean read = Set.of(Display.Form.AUTO, Display.Form.LINES).contains(common().progress());
    if (result.complete() && read) {
      printer.suggestNext(place, effort());
    }
  }

  /** Return where a result is stored; that of an interrupted run never replaces a whole model. */
  private static Path place(TrainingResult result, Path out) {
    return result.complete() || !holdsWholeModel(out) ? out : partial(out);
  }

  private static Path partial(Path out) {
    Path place = OutputFolder.at(out).place();
    return place.resolveSibling(place.getFileName() + ".partial");
  }

  private static boolean holdsWholeModel(Path out) {
    try {
      return ModelStore.exists(out) && ModelStore.describe(out).complete();
    } catch (PecfException e) {
      // A model that cannot be read here may still be whole.
      return true;
    }
  }

  private void store(
      TrainingResult result, Optional<Path> place, boolean overwrite, RunEnvironment surroundings) {
    Instant now = CreationTime.now(System.getenv());
    RunDetails record = surroundings.record();
    place.ifPresent(
        folder -> {
          // Where an incomplete result goes, there can only be another incomplete one.
          result.save(folder, overwrite || !result.complete(), now);
          record.endPhase("save");
        });
    Map<String, Object> metrics = MetricsJson.of(result, record, now);
    place.ifPresent(
        folder -> {
          MetricsJson.write(metrics, folder.resolve(MetricsJson.NAME));
          new TrainingReport(result, record.seconds(), record.bytes(), Version.number())
              .write(folder);
        });
    options.output().get().metricsJson().ifPresent(file -> MetricsJson.write(metrics, file));
    place.ifPresent(surroundings.log()::finish);
    if (result.complete()) {
      place.ifPresent(folder -> ModelStore.discardIncomplete(partial(folder)));
    }
  }
}
