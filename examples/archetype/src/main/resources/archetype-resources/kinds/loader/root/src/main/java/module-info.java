/**
 * The loader ${id} for PECF.
 *
 * @provides org.pecf.api.data.RatingLoaderProvider
 */
module ${package} {
  requires org.pecf.api;

  provides org.pecf.api.data.RatingLoaderProvider with
      ${package}.MyLoaderProvider;
}
