package org.pecf.cli.option;

import java.nio.file.Path;
import java.util.Optional;
import org.pecf.api.PecfException;
import org.pecf.engine.file.OutputFolder;
import org.pecf.engine.model.Checkpoint;
import org.pecf.engine.run.CheckpointRequest;
import picocli.CommandLine.Option;

/** The options about the checkpoint of a run, which is beside its output folder. */
@Section(Sections.OUTPUT)
public final class CheckpointOptions {
  @Option(
      names = "--resume",
      description =
          "Go on with a run that was cut off, with the same options: from the checkpoint beside the"
              + " output folder, or from the beginning if there is none.")
  boolean resume;

  @Option(
      names = "--checkpoint-sweeps",
      paramLabel = "N",
      converter = WholeNumber.class,
      description =
          "Write a checkpoint after every N sweeps of a member too (default: after members only).")
  Integer sweeps;

  @Option(
      names = "--keep-checkpoint",
      description = "Leave the checkpoint beside the output folder when the run has ended.")
  boolean keep;

  @Option(
      names = "--library",
      paramLabel = "DIR",
      description =
          "Keep trained members in this folder, and take from it those that an earlier run trained"
              + " with the same data, split, seed and settings, instead of training them again.")
  Path library;

  /**
   * Check them before any work is done.
   *
   * @throws PecfException if they have no effect, or an earlier checkpoint would be lost
   */
  public void check(OutputOptions output) {
    if (output.out().isEmpty() && (resume || sweeps != null || keep)) {
      throw PecfException.badOption(
          "%s needs the folder that the run writes to. Add --out.",
          resume ? "--resume" : keep ? "--keep-checkpoint" : "--checkpoint-sweeps");
    }
    if (sweeps != null && sweeps < 1) {
      throw PecfException.badOption("--checkpoint-sweeps must be at least 1, not %d.", sweeps);
    }
    request(output)
        .map(CheckpointRequest::folder)
        .filter(folder -> !resume && !output.overwrite() && Checkpoint.exists(folder))
        .ifPresent(
            folder -> {
              throw PecfException.badOption(
                  "A run that was cut off left %s. Add --resume to go on with it, or --overwrite to"
                      + " begin again.",
                  folder);
            });
  }

  /** Return how the state of the run is kept, which it is if the run has an output folder. */
  public Optional<CheckpointRequest> request(OutputOptions output) {
    return output
        .out()
        .map(folder -> OutputFolder.at(folder).place())
        .filter(place -> place.getFileName() != null)
        .map(
            place ->
                new CheckpointRequest(
                    place.resolveSibling(place.getFileName() + ".checkpoint"),
                    sweeps == null ? 0 : sweeps,
                    resume));
  }

  /** Return the folder in which trained members are kept, if there is one. */
  public Optional<Path> library() {
    return Optional.ofNullable(library);
  }

  /** Return whether the run goes on from a checkpoint. */
  public boolean resume() {
    return resume;
  }

  /** Return whether the checkpoint stays when the run has ended. */
  public boolean keep() {
    return keep;
  }
}
