package org.pecf.cli.option;

import org.pecf.engine.request.ComputeRequest;

/** The options about the resources to compute with. */
public final class ComputeOptions extends SchemaOptions {
  /** Create the options. */
  public ComputeOptions() {
    ComputeRequest.SCHEMA
        .descriptions()
        .forEach(option -> add(Sections.COMPUTING, ComputeRequest.SCHEMA, option));
  }

  /** Return the request for the resources; options of the backend are not applied yet. */
  public ComputeRequest request() {
    return ComputeRequest.of(texts());
  }
}
