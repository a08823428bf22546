package org.pecf.cli.option;

import org.pecf.engine.data.DataRequest;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.run.ComputeRequest;

/** Copy requests with one part replaced. */
final class Requests {
  private Requests() {}

  static DataRequest withFormat(DataRequest request, ProviderChoice format) {
    return new DataRequest(
        request.location(),
        request.validationLocation(),
        request.testLocation(),
        format,
        request.positive(),
        request.minUser(),
        request.minItem(),
        request.duplicates());
  }

  static ComputeRequest withBackend(ComputeRequest request, ProviderChoice backend) {
    return new ComputeRequest(
        backend, request.threads(), request.memoryBytes(), request.path(), request.weightError());
  }
}
