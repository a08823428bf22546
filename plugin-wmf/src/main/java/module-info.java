import org.jspecify.annotations.NullMarked;

/**
 * Weighted matrix factorisation for PECF.
 *
 * @provides org.pecf.api.filter.BaseFilterProvider
 */
@NullMarked
module org.pecf.plugin.wmf {
  requires org.pecf.api;

  provides org.pecf.api.filter.BaseFilterProvider with
      org.pecf.plugin.wmf.WmfProvider;
}
