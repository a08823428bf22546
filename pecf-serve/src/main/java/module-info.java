import org.jspecify.annotations.NullMarked;

/** Recommendations of a stored model over HTTP, and a page for people. */
@NullMarked
module org.pecf.serve {
  requires transitive org.pecf.engine;
  requires com.fasterxml.jackson.core;
  requires com.fasterxml.jackson.databind;
  requires io.prometheus.metrics.core;
  requires io.prometheus.metrics.model;
  requires io.prometheus.writer.text;
  requires java.management;
  requires org.apache.logging.log4j;
  requires org.eclipse.jetty.server;
  requires org.pecf.study;

  exports org.pecf.serve;

  opens org.pecf.serve to
      com.fasterxml.jackson.databind;
}
