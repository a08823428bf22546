package org.pecf.engine.run;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.pecf.api.data.Part;

/**
 * The work of a run beside its training.
 *
 * @param parts the parts that the finished ensemble is measured on; no other part is looked at
 * @param compare whether simpler predictions are measured beside it
 * @param refit the parts that its plan is trained again on, if it is
 * @param checkpoints where the state of the run is kept, so that it can go on after it was cut off
 *     and end with the same model, bit by bit; empty to keep none
 * @param library the folder in which trained members are kept and found, if there is one; it is
 *     created if it does not exist
 * @param passing whether the library passes with the run, so that nobody is told of it
 */
public record RunScope(
    Set<Part> parts,
    boolean compare,
    Optional<Refit> refit,
    Optional<CheckpointRequest> checkpoints,
    Optional<Path> library,
    boolean passing) {
  public RunScope {
    parts = Set.copyOf(parts);
  }

  /** Return the scope of a run that measures its ensemble on some parts and does no more. */
  public static RunScope measuring(Set<Part> parts) {
    return new RunScope(parts, false, Optional.empty(), Optional.empty(), Optional.empty(), false);
  }

  /** Return the scope of a run that measures its ensemble on all held-out parts. */
  static RunScope usual() {
    return measuring(EnumSet.of(Part.VALIDATION, Part.TEST));
  }

  /** Return this scope with simpler predictions beside the ensemble, or without. */
  RunScope withComparison(boolean changed) {
    return new RunScope(parts, changed, refit, checkpoints, library, passing);
  }

  /** Return this scope with a second training, or without. */
  RunScope withRefit(Optional<Refit> changed) {
    return new RunScope(parts, compare, changed, checkpoints, library, passing);
  }

  /** Return this scope with another place for the state of the run. */
  RunScope withCheckpoints(Optional<CheckpointRequest> changed) {
    return new RunScope(parts, compare, refit, changed, library, passing);
  }

  /** Return this scope with another library of members. */
  RunScope withLibrary(Optional<Path> changed) {
    return new RunScope(parts, compare, refit, checkpoints, changed, passing);
  }

  /** Return this scope with a library of members that passes with the run. */
  RunScope withPassingLibrary(Path folder) {
    return new RunScope(parts, compare, refit, checkpoints, Optional.of(folder), true);
  }
}
