import org.jspecify.annotations.NullMarked;

/**
 * The ground that PECF stands on: it finds, loads, trusts and guards plugins, writes files so that
 * none is left half-written, and looks into archives that may come from anyone.
 *
 * @uses org.pecf.api.filter.BaseFilterProvider
 * @uses org.pecf.api.ensemble.WeightingSchemeProvider
 * @uses org.pecf.api.ensemble.AlphaStrategyProvider
 * @uses org.pecf.api.compute.ComputeBackendProvider
 * @uses org.pecf.api.data.RatingLoaderProvider
 */
@NullMarked
@SuppressWarnings("module") // The modules that packages are exported to are built later.
module org.pecf.platform {
  requires transitive org.pecf.api;
  requires org.apache.logging.log4j;

  exports org.pecf.platform.archive to
      org.pecf.cli,
      org.pecf.tools;
  exports org.pecf.platform.file to
      org.pecf.cli,
      org.pecf.data,
      org.pecf.engine,
      org.pecf.recommend,
      org.pecf.study,
      org.pecf.tools;
  exports org.pecf.platform.plugin;

  uses org.pecf.api.filter.BaseFilterProvider;
  uses org.pecf.api.ensemble.WeightingSchemeProvider;
  uses org.pecf.api.ensemble.AlphaStrategyProvider;
  uses org.pecf.api.compute.ComputeBackendProvider;
  uses org.pecf.api.data.RatingLoaderProvider;
}
