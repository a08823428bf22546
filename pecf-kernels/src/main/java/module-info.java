import org.jspecify.annotations.NullMarked;

/**
 * The kernels of PECF that need no session and no plugins: linear algebra on off-heap memory, and
 * the rows of corrected least squares. The CPU backend computes with them, and so do the executors
 * of Spark.
 */
@NullMarked
module org.pecf.kernels {
  requires transitive org.pecf.api;
  requires transitive org.pecf.backend.base;
  requires ejml.core;
  requires ejml.fdense;
  requires org.bytedeco.javacpp;
  requires org.bytedeco.openblas;

  exports org.pecf.kernels.algebra;
  exports org.pecf.kernels.field;
  exports org.pecf.kernels.leastsquares;
}
