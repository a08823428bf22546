package org.pecf.cli.option;

import java.util.Map;
import org.pecf.api.PecfException;
import org.pecf.engine.data.DataRequest;

/** The options about the ratings to load. */
public final class DataOptions extends SchemaOptions {
  /** Create the options. */
  public DataOptions() {
    DataRequest.SCHEMA
        .descriptions()
        .forEach(option -> add(Sections.DATA, DataRequest.SCHEMA, option));
  }

  /**
   * Return whether ratings were named.
   *
   * @throws PecfException if they were not, but other options say how to read them
   */
  public boolean given() {
    return given(texts());
  }

  private static boolean given(Map<String, String> texts) {
    boolean named = texts.containsKey("data");
    if (!named && !texts.isEmpty()) {
      throw PecfException.badOption(
          "--%s has no effect here without --data. Add it.", texts.keySet().iterator().next());
    }
    return named;
  }

  /** Return the request for the ratings; options of the format are not applied yet. */
  public DataRequest request() {
    return DataRequest.SCHEMA.bind("", texts());
  }
}
