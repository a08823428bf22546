package org.pecf.engine.run;

import java.nio.file.Path;

/**
 * The way in which the state of a run is kept, so that a run that was cut off can go on.
 *
 * @param folder the folder that holds the state until the result is stored
 * @param sweeps the number of steps (sweeps, epochs) within a member after which its state is kept
 *     too; 0 keeps it after each member only
 * @param resume whether to go on from the state in the folder; else one that is there is deleted
 */
public record CheckpointRequest(Path folder, int sweeps, boolean resume) {
  public CheckpointRequest {
    if (sweeps < 0) {
      throw new IllegalArgumentException("sweeps must be at least 0, not " + sweeps);
    }
  }
}
