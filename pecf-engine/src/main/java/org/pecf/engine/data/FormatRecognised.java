package org.pecf.engine.data;

import org.pecf.api.data.Recognition;
import org.pecf.api.run.RunEvent;

/**
 * Say which format a source was taken to be in.
 *
 * @param location the source
 * @param format the id of the loader
 * @param recognition how sure it is
 */
public record FormatRecognised(String location, String format, Recognition recognition)
    implements RunEvent {
  @Override
  public String summary() {
    return "reading " + location + " as " + format;
  }
}
