import org.jspecify.annotations.NullMarked;

/**
 * The common parts of PECF's compute backends, and of the executors of Spark. Whoever uses the
 * linear algebra on the processor brings EJML or OpenBLAS; a backend for a device needs neither.
 */
@NullMarked
module org.pecf.backend {
  requires transitive org.pecf.api;
  requires static ejml.core;
  requires static ejml.fdense;
  requires static org.bytedeco.javacpp;
  requires static org.bytedeco.openblas;

  exports org.pecf.backend.algebra;
  exports org.pecf.backend.field;
  exports org.pecf.backend.leastsquares;
  exports org.pecf.backend.pairwise;
  exports org.pecf.backend.session;
}
