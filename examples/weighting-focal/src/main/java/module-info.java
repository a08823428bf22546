/**
 * Focal weighting for PECF: an example of a weighting scheme.
 *
 * @provides org.pecf.api.ensemble.WeightingSchemeProvider
 */
module com.example.focal {
  requires org.pecf.api;

  provides org.pecf.api.ensemble.WeightingSchemeProvider with
      com.example.focal.FocalProvider;
}
