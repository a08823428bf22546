import org.jspecify.annotations.NullMarked;

/** Studies: searches for settings, and the paper's study repeated with its tables and figures. */
@NullMarked
module org.pecf.study {
  requires transitive org.pecf.engine;
  requires com.fasterxml.jackson.databind;
  requires org.apache.commons.statistics.distribution;
  requires org.apache.commons.statistics.inference;
  requires static transitive org.jspecify;

  exports org.pecf.study;
  exports org.pecf.study.page;
  exports org.pecf.study.report;

  opens org.pecf.study to
      com.fasterxml.jackson.databind;
  opens org.pecf.study.page to
      com.fasterxml.jackson.databind;
  opens org.pecf.study.report to
      com.fasterxml.jackson.databind;
}
