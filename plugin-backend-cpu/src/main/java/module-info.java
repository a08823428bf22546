import org.jspecify.annotations.NullMarked;

/**
 * The CPU backend of PECF.
 *
 * @provides org.pecf.api.compute.ComputeBackendProvider
 */
@NullMarked
module org.pecf.plugin.backend.cpu {
  requires org.pecf.api;
  requires org.pecf.backend.base;
  requires org.pecf.kernels;

  provides org.pecf.api.compute.ComputeBackendProvider with
      org.pecf.plugin.backend.cpu.CpuBackendProvider;
}
