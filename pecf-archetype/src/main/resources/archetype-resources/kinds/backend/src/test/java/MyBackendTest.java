package ${package};

import org.pecf.api.compute.ComputeBackendProvider;
import org.pecf.testkit.contract.ComputeBackendContract;

/** The contract of its kind; add tests of what is particular to it. */
class MyBackendTest extends ComputeBackendContract {
  @Override
  protected ComputeBackendProvider<?> provider() {
    return new MyBackendProvider();
  }
}
