import org.jspecify.annotations.NullMarked;

/**
 * The CPU backend of PECF.
 *
 * @provides org.pecf.api.compute.ComputeBackendProvider
 */
@NullMarked
module org.pecf.plugin.backend.cpu {
  requires org.pecf.api;
  requires org.pecf.backend;
  requires ejml.core;
  requires ejml.fdense;
  requires org.bytedeco.javacpp;
  requires org.bytedeco.openblas;

  provides org.pecf.api.compute.ComputeBackendProvider with
      org.pecf.plugin.backend.cpu.CpuBackendProvider;
}
