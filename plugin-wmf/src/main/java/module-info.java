import org.jspecify.annotations.NullMarked;

/**
 * Matrix factorisations for PECF: of the whole grid, and of parts of it.
 *
 * @provides org.pecf.api.filter.BaseFilterProvider
 */
@NullMarked
module org.pecf.plugin.wmf {
  requires org.pecf.api;

  provides org.pecf.api.filter.BaseFilterProvider with
      org.pecf.plugin.wmf.WmfProvider,
      org.pecf.plugin.wmf.LlormaProvider,
      org.pecf.plugin.wmf.CccfProvider,
      org.pecf.plugin.wmf.EnsNmfProvider;
}
