/**
 * PureSVD for PECF: an example of a base filter that brings a library of its own.
 *
 * @provides org.pecf.api.filter.BaseFilterProvider
 */
module com.example.puresvd {
  requires ejml.core;
  requires ejml.ddense;
  requires org.pecf.api;

  provides org.pecf.api.filter.BaseFilterProvider with
      com.example.puresvd.PureSvdProvider;
}
