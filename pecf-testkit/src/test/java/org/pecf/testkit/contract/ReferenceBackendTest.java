package org.pecf.testkit.contract;

import org.pecf.api.compute.ComputeBackendProvider;

/** An oracle must keep the contract it is the measure of. */
class ReferenceBackendTest extends ComputeBackendContract {
  @Override
  protected ComputeBackendProvider<?> provider() {
    return new ReferenceBackend();
  }
}
