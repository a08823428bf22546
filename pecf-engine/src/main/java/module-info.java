import org.jspecify.annotations.NullMarked;

/**
 * The engine: plugins, data, construction, evaluation, stored models, recommending and runs.
 *
 * @uses org.pecf.api.filter.BaseFilterProvider
 * @uses org.pecf.api.ensemble.WeightingSchemeProvider
 * @uses org.pecf.api.ensemble.AlphaStrategyProvider
 * @uses org.pecf.api.compute.ComputeBackendProvider
 * @uses org.pecf.api.data.RatingLoaderProvider
 * @uses org.pecf.api.evaluate.MetricProvider
 * @provides org.pecf.api.ensemble.WeightingSchemeProvider
 * @provides org.pecf.api.ensemble.AlphaStrategyProvider
 * @provides org.pecf.api.evaluate.MetricProvider
 */
@NullMarked
@SuppressWarnings("module") // The modules that packages are exported to are built later.
module org.pecf.engine {
  requires transitive org.pecf.api;
  requires com.fasterxml.jackson.databind;
  requires com.fasterxml.jackson.datatype.jdk8;
  requires java.management;
  requires jdk.management;
  requires org.apache.logging.log4j;

  exports org.pecf.engine.archive to
      org.pecf.cli;
  exports org.pecf.engine.construct;
  exports org.pecf.engine.data;
  exports org.pecf.engine.data.split;
  exports org.pecf.engine.effort;
  exports org.pecf.engine.ensemble;
  exports org.pecf.engine.evaluate;
  exports org.pecf.engine.file to
      org.pecf.cli,
      org.pecf.serve,
      org.pecf.study;
  exports org.pecf.engine.json to
      org.pecf.cli,
      org.pecf.serve,
      org.pecf.study;
  exports org.pecf.engine.model;
  exports org.pecf.engine.plugin;
  exports org.pecf.engine.plugin.verify;
  exports org.pecf.engine.recommend;
  exports org.pecf.engine.recommend.update;
  exports org.pecf.engine.request;
  exports org.pecf.engine.resource;
  exports org.pecf.engine.run;
  exports org.pecf.engine.selftest;

  opens org.pecf.engine.model to
      com.fasterxml.jackson.databind;

  uses org.pecf.api.filter.BaseFilterProvider;
  uses org.pecf.api.ensemble.WeightingSchemeProvider;
  uses org.pecf.api.ensemble.AlphaStrategyProvider;
  uses org.pecf.api.compute.ComputeBackendProvider;
  uses org.pecf.api.data.RatingLoaderProvider;
  uses org.pecf.api.evaluate.MetricProvider;

  provides org.pecf.api.ensemble.WeightingSchemeProvider with
      org.pecf.engine.construct.weighting.PosteriorWeighting,
      org.pecf.engine.construct.weighting.RankBoostWeighting,
      org.pecf.engine.construct.weighting.UniformWeighting;
  provides org.pecf.api.ensemble.AlphaStrategyProvider with
      org.pecf.engine.construct.alpha.DynamicAlpha,
      org.pecf.engine.construct.alpha.FixedAlpha,
      org.pecf.engine.construct.alpha.UniformAlpha;
  provides org.pecf.api.evaluate.MetricProvider with
      org.pecf.engine.evaluate.StandardMetrics.Recall,
      org.pecf.engine.evaluate.StandardMetrics.TruncatedRecall,
      org.pecf.engine.evaluate.StandardMetrics.Precision,
      org.pecf.engine.evaluate.StandardMetrics.Ndcg,
      org.pecf.engine.evaluate.StandardMetrics.AveragePrecision,
      org.pecf.engine.evaluate.StandardMetrics.ReciprocalRank,
      org.pecf.engine.evaluate.StandardMetrics.HitRate;
}
