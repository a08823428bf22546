import org.jspecify.annotations.NullMarked;

/**
 * The engine of PECF: it grows ensembles, evaluates and stores them.
 *
 * @provides org.pecf.api.ensemble.WeightingSchemeProvider
 * @provides org.pecf.api.ensemble.AlphaStrategyProvider
 */
@NullMarked
@SuppressWarnings("module") // The modules that packages are exported to are built later.
module org.pecf.engine {
  requires transitive org.pecf.data;
  requires com.fasterxml.jackson.databind;
  requires com.fasterxml.jackson.datatype.jdk8;
  requires java.management;
  requires jdk.management;

  exports org.pecf.engine.algebra to
      org.pecf.recommend;
  exports org.pecf.engine.construct;
  exports org.pecf.engine.ensemble;
  exports org.pecf.engine.evaluate;
  exports org.pecf.engine.json to
      org.pecf.cli,
      org.pecf.recommend,
      org.pecf.study;
  exports org.pecf.engine.model;
  exports org.pecf.engine.request;
  exports org.pecf.engine.run;

  opens org.pecf.engine.model to
      com.fasterxml.jackson.databind;

  provides org.pecf.api.ensemble.WeightingSchemeProvider with
      org.pecf.engine.construct.weighting.PosteriorWeighting,
      org.pecf.engine.construct.weighting.RankBoostWeighting,
      org.pecf.engine.construct.weighting.UniformWeighting;
  provides org.pecf.api.ensemble.AlphaStrategyProvider with
      org.pecf.engine.construct.alpha.DynamicAlpha,
      org.pecf.engine.construct.alpha.FixedAlpha,
      org.pecf.engine.construct.alpha.UniformAlpha;
}
