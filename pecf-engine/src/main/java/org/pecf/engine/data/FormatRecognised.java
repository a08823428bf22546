package org.pecf.engine.data;

import org.pecf.api.data.Recognition;
import org.pecf.api.run.RunEvent;

/**
 * The event that the format of a source was recognised.
 *
 * @param location the source
 * @param format the id of the loader
 * @param recognition the certainty
 */
public record FormatRecognised(String location, String format, Recognition recognition)
    implements RunEvent {
  @Override
  public String summary() {
    return "reading " + location + " as " + format;
  }
}
