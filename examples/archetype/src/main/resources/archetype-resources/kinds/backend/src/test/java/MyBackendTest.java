package ${package};

import org.pecf.api.compute.ComputeBackendProvider;
import org.pecf.testkit.contract.ComputeBackendContract;

/** The contract of every backend; add tests of your own. */
class MyBackendTest extends ComputeBackendContract {
  @Override
  protected ComputeBackendProvider<?> provider() {
    return new MyBackendProvider();
  }
}
