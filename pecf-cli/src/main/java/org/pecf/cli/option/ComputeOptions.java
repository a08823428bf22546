package org.pecf.cli.option;

import java.util.List;
import org.pecf.engine.request.ComputeRequest;

/** The options about the resources to compute with. */
public final class ComputeOptions extends SchemaOptions {
  /**
   * Create some of the options.
   *
   * @param keys the options that have an effect on the command. Not modified.
   */
  ComputeOptions(List<String> keys) {
    ComputeRequest.SCHEMA.descriptions().stream()
        .filter(option -> keys.contains(option.key()))
        .forEach(option -> add(Sections.COMPUTING, ComputeRequest.SCHEMA, option));
  }

  /** Return the request for the resources; options of the backend are not applied yet. */
  public ComputeRequest request() {
    return ComputeRequest.of(texts());
  }
}
