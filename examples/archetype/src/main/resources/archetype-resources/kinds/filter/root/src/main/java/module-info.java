/**
 * The filter ${id} for PECF.
 *
 * @provides org.pecf.api.filter.BaseFilterProvider
 */
module ${package} {
  requires org.pecf.api;

  provides org.pecf.api.filter.BaseFilterProvider with
      ${package}.MyFilterProvider;
}
