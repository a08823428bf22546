/**
 * The backend ${id} for PECF.
 *
 * @provides org.pecf.api.compute.ComputeBackendProvider
 */
module ${package} {
  requires org.pecf.api;

  provides org.pecf.api.compute.ComputeBackendProvider with
      ${package}.MyBackendProvider;
}
