package org.pecf.cli.option;

import java.util.Map;
import org.pecf.api.PecfException;
import org.pecf.engine.data.DataRequest;

/** The options about the ratings to load; those of the format are not among them. */
public final class DataOptions extends RecordOptions<DataRequest> {
  /** Create the options. */
  public DataOptions() {
    super(Sections.DATA, DataRequest.SCHEMA);
  }

  /**
   * Return whether ratings were named.
   *
   * @throws PecfException if they were not, but other options say how to read them
   */
  public boolean given() {
    Map<String, String> texts = texts();
    boolean named = texts.containsKey("data");
    if (!named && !texts.isEmpty()) {
      throw PecfException.badOption(
          "--%s has no effect here without --data. Add it.", texts.keySet().iterator().next());
    }
    return named;
  }
}
