import org.jspecify.annotations.NullMarked;

/**
 * Additive co-clustering for PECF: ACCAMS, and bACCAMS by Gibbs sampling.
 *
 * @provides org.pecf.api.filter.BaseFilterProvider
 */
@NullMarked
module org.pecf.plugin.accams {
  requires org.pecf.api;

  provides org.pecf.api.filter.BaseFilterProvider with
      org.pecf.plugin.accams.AccamsProvider,
      org.pecf.plugin.accams.BaccamsProvider;
}
