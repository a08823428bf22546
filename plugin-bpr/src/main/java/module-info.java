import org.jspecify.annotations.NullMarked;

/**
 * Bayesian personalised ranking for PECF.
 *
 * @provides org.pecf.api.filter.BaseFilterProvider
 */
@NullMarked
module org.pecf.plugin.bpr {
  requires org.pecf.api;

  provides org.pecf.api.filter.BaseFilterProvider with
      org.pecf.plugin.bpr.BprProvider;
}
