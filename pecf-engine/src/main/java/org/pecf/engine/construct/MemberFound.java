package org.pecf.engine.construct;

import java.nio.file.Path;
import org.pecf.api.run.RunEvent;

/**
 * The event that a member was found in the library and need not be trained.
 *
 * @param filter the id of its filter
 * @param library the folder of the library
 */
public record MemberFound(String filter, Path library) implements RunEvent {
  @Override
  public String summary() {
    return "a member of " + filter + " was found in " + library;
  }
}
