/**
 * The alpha ${id} for PECF.
 *
 * @provides org.pecf.api.ensemble.AlphaStrategyProvider
 */
module ${package} {
  requires org.pecf.api;

  provides org.pecf.api.ensemble.AlphaStrategyProvider with
      ${package}.MyAlphaProvider;
}
