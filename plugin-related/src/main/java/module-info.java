import org.jspecify.annotations.NullMarked;

/**
 * Additive co-clustering for PECF: ACCAMS, and bACCAMS by Gibbs sampling.
 *
 * @provides org.pecf.api.filter.BaseFilterProvider
 */
@NullMarked
module org.pecf.plugin.related {
  requires org.pecf.api;

  provides org.pecf.api.filter.BaseFilterProvider with
      org.pecf.plugin.related.accams.AccamsProvider,
      org.pecf.plugin.related.accams.BaccamsProvider;
}
