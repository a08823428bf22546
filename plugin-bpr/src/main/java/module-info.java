/**
 * Bayesian personalised ranking for PECF.
 *
 * @provides org.pecf.api.filter.BaseFilterProvider
 */
module org.pecf.plugin.bpr {
  requires org.pecf.api;

  provides org.pecf.api.filter.BaseFilterProvider with
      org.pecf.plugin.bpr.BprProvider;
}
