/**
 * The weighting ${id} for PECF.
 *
 * @provides org.pecf.api.ensemble.WeightingSchemeProvider
 */
module ${package} {
  requires org.pecf.api;

  provides org.pecf.api.ensemble.WeightingSchemeProvider with
      ${package}.MyWeightingProvider;
}
