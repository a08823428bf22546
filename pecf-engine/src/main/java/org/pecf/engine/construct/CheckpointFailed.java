package org.pecf.engine.construct;

import java.nio.file.Path;
import org.pecf.api.run.RunEvent;

/**
 * The event that a checkpoint could not be written; the one before it stays, and training goes on.
 *
 * @param folder the folder of the checkpoint
 * @param reason the reason
 */
public record CheckpointFailed(Path folder, String reason) implements RunEvent {
  @Override
  public String summary() {
    return String.format(
        "The checkpoint %s could not be written (%s), so a kill would now cost more than one"
            + " member. Make room; the next member tries again.",
        folder, reason);
  }
}
