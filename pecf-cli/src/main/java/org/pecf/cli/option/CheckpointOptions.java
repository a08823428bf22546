package org.pecf.cli.option;

import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.Optional;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.engine.file.OutputFolder;
import org.pecf.engine.model.CheckpointFolder;
import org.pecf.engine.run.CheckpointRequest;

/** The options about the checkpoint of a run, which is beside its output folder. */
public record CheckpointOptions(
    @Option(
            value =
                "Go on with a run that was cut off, with the same options: from the checkpoint"
                    + " beside the output folder, or from the beginning if there is none",
            defaultValue = "false")
        boolean resume,
    @Option(
            value = "Write a checkpoint after every N sweeps of a member too",
            key = "checkpoint-sweeps",
            unset = "after members only",
            min = 1)
        Optional<Integer> sweeps,
    @Option(
            value = "Leave the checkpoint beside the output folder when the run has ended",
            key = "keep-checkpoint",
            defaultValue = "false")
        boolean keep,
    @Option(
            value =
                "Keep trained members in this folder, and take from it those that an earlier run"
                    + " trained with the same data, split, seed and settings, instead of training"
                    + " them again",
            label = "DIR")
        Optional<Path> library) {
  private static final OptionSchema<CheckpointOptions> SCHEMA =
      OptionSchema.of(MethodHandles.lookup(), CheckpointOptions.class);

  /** Return the options of a command line. */
  public static RecordOptions<CheckpointOptions> options() {
    return RecordOptions.of(Section.OUTPUT, SCHEMA);
  }

  /**
   * Check them before any work is done.
   *
   * @throws PecfException if they have no effect, or an earlier checkpoint would be lost
   */
  public void check(OutputOptions output) {
    if (output.out().isEmpty() && (resume || sweeps.isPresent() || keep)) {
      throw PecfException.badOption(
          "%s needs the folder that the run writes to. Add --out.",
          resume ? "--resume" : keep ? "--keep-checkpoint" : "--checkpoint-sweeps");
    }
    request(output)
        .map(CheckpointRequest::folder)
        .filter(folder -> !resume && !output.overwrite() && CheckpointFolder.exists(folder))
        .ifPresent(
            folder -> {
              throw PecfException.badOption(
                  "A run that was cut off left %s. Add --resume to go on with it, or --overwrite to"
                      + " begin again.",
                  folder);
            });
  }

  /** Return how the state of the run is kept, if the run has an output folder. */
  public Optional<CheckpointRequest> request(OutputOptions output) {
    return output
        .out()
        .map(folder -> OutputFolder.at(folder).place())
        .filter(place -> place.getFileName() != null)
        .map(
            place ->
                new CheckpointRequest(
                    place.resolveSibling(place.getFileName() + ".checkpoint"),
                    sweeps.orElse(0),
                    resume));
  }
}
