import org.jspecify.annotations.NullMarked;

/** Tools around the engine: installing and verifying plugins, testing backends, measuring speed. */
@NullMarked
module org.pecf.tools {
  requires transitive org.pecf.recommend;
  requires org.pecf.study;
  requires jdk.management;
  requires org.apache.logging.log4j;

  exports org.pecf.tools.bench;
  exports org.pecf.tools.plugin;
  exports org.pecf.tools.selftest;
}
