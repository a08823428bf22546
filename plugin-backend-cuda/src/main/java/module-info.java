import org.jspecify.annotations.NullMarked;

/**
 * The CUDA backend of PECF.
 *
 * @provides org.pecf.api.compute.ComputeBackendProvider
 */
@NullMarked
module org.pecf.plugin.backend.cuda {
  requires org.pecf.api;
  requires org.pecf.backend;
  requires jcublas;
  requires jcuda;

  provides org.pecf.api.compute.ComputeBackendProvider with
      org.pecf.plugin.backend.cuda.CudaBackendProvider;
}
