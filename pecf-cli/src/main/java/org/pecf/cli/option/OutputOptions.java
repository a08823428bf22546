package org.pecf.cli.option;

import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.Optional;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.engine.file.OutputFile;
import org.pecf.engine.model.ModelStore;
import org.pecf.engine.run.Refit;

/** The options about where results go. */
public record OutputOptions(
    @Option(value = "Store the model, metrics.json and run.log in this folder", label = "DIR")
        Optional<Path> out,
    @Option(value = "Replace what the output folder holds", defaultValue = "false")
        boolean overwrite,
    @Option(
            value = "After measuring, train the same plan on all data and store that model instead",
            defaultValue = "false")
        boolean refit,
    @Option(
            key = "final",
            value =
                "After measuring, train the same plan on these parts, training,validation, measure"
                    + " it on the test part and store that model instead",
            label = "PARTS",
            unset = "the measured model is stored")
        Optional<String> finalParts,
    @Option(value = "Write options, data, metrics and timings to this file", label = "FILE")
        Optional<Path> metricsJson) {
  private static final OptionSchema<OutputOptions> SCHEMA =
      OptionSchema.of(MethodHandles.lookup(), OutputOptions.class);

  /** Return the options of a command line. */
  public static RecordOptions<OutputOptions> options() {
    return RecordOptions.of(Section.OUTPUT, SCHEMA);
  }

  /**
   * Check that results can be written, before any work is done for them.
   *
   * @param resume whether the run goes on, and may find its own model, which is checked later
   * @throws PecfException if they cannot
   */
  public void check(boolean resume) {
    if (refit && finalParts.isPresent()) {
      throw PecfException.badOption(
          "--refit trains on all parts in the end, --final on those that it names. Leave one out.");
    }
    again();
    if (out.isEmpty() && (overwrite || refit)) {
      throw PecfException.badOption(
          "--%s has no effect without --out. Name the folder of the model, or leave it out.",
          refit ? "refit" : "overwrite");
    }
    out.ifPresent(folder -> ModelStore.checkPlace(folder, overwrite || resume));
    metricsJson.filter(file -> !isInOut(file)).ifPresent(file -> OutputFile.at(file).check());
  }

  /** Return the parts to train on in the end, if that was asked for. */
  public Optional<Refit> again() {
    return refit ? Optional.of(Refit.ALL) : finalParts.map(Refit::parse);
  }

  /** The output folder exists by the time that a file in it is written. */
  private boolean isInOut(Path file) {
    return out.map(Path::toAbsolutePath)
        .map(Path::normalize)
        .filter(folder -> folder.equals(file.toAbsolutePath().normalize().getParent()))
        .isPresent();
  }
}
