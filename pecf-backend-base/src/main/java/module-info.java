import org.jspecify.annotations.NullMarked;

/** The common parts of PECF's compute backends. */
@NullMarked
module org.pecf.backend.base {
  requires transitive org.pecf.api;

  exports org.pecf.backend.base.field;
  exports org.pecf.backend.base.leastsquares;
  exports org.pecf.backend.base.library;
  exports org.pecf.backend.base.pairwise;
  exports org.pecf.backend.base.session;
}
