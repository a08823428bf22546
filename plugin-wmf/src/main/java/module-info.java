import org.jspecify.annotations.NullMarked;

/**
 * Weighted matrix factorisation, of the whole grid and of parts of it, for PECF.
 *
 * @provides org.pecf.api.filter.BaseFilterProvider
 */
@NullMarked
module org.pecf.plugin.wmf {
  requires org.pecf.api;

  provides org.pecf.api.filter.BaseFilterProvider with
      org.pecf.plugin.wmf.WmfProvider,
      org.pecf.plugin.wmf.LlormaProvider,
      org.pecf.plugin.wmf.CccfProvider;
}
