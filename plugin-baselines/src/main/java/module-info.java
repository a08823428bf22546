import org.jspecify.annotations.NullMarked;

/**
 * Simple filters that are hard to beat, for PECF: popularity, ramps over it, neighbourhoods of
 * items and users, random walks and EASE.
 *
 * @provides org.pecf.api.filter.BaseFilterProvider
 */
@NullMarked
module org.pecf.plugin.baselines {
  requires org.pecf.api;

  provides org.pecf.api.filter.BaseFilterProvider with
      org.pecf.plugin.baselines.PopularityProvider,
      org.pecf.plugin.baselines.PopularityRampProvider,
      org.pecf.plugin.baselines.ItemNeighboursProvider,
      org.pecf.plugin.baselines.UserNeighboursProvider,
      org.pecf.plugin.baselines.RandomWalkProvider,
      org.pecf.plugin.baselines.EaseProvider;
}
