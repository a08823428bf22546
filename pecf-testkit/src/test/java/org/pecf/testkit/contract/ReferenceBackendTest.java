package org.pecf.testkit.contract;

import org.pecf.api.compute.ComputeBackendProvider;
import org.pecf.testkit.fixture.SessionBackend;
import org.pecf.testkit.reference.ReferenceComputeSession;

/** An oracle must keep the contract it is the measure of. */
class ReferenceBackendTest extends ComputeBackendContract {
  @Override
  protected ComputeBackendProvider<?> provider() {
    return new SessionBackend(
        "reference", "slow and obvious, on any machine", ReferenceComputeSession::new);
  }
}
