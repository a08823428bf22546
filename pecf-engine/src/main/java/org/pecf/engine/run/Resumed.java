package org.pecf.engine.run;

import java.nio.file.Path;
import org.pecf.api.run.RunEvent;

/**
 * The event that a run goes on from a checkpoint, or begins because there is none.
 *
 * @param folder the folder of the checkpoint
 * @param found whether there was one
 */
public record Resumed(Path folder, boolean found) implements RunEvent {
  @Override
  public String summary() {
    return found
        ? "resumed from " + folder
        : "there is no checkpoint in " + folder + " yet: training begins";
  }
}
