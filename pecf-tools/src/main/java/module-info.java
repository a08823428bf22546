import org.jspecify.annotations.NullMarked;

/** Tools around the engine: verifying plugins and testing backends. */
@NullMarked
module org.pecf.tools {
  requires transitive org.pecf.recommend;
  requires org.apache.logging.log4j;

  exports org.pecf.tools.plugin;
  exports org.pecf.tools.selftest;
}
