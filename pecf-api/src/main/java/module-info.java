import org.jspecify.annotations.NullMarked;

/**
 * The SPI of PECF and the values that cross it.
 *
 * <p>Plugins require this module and provide implementations of its provider interfaces.
 */
@NullMarked
module org.pecf.api {
  requires org.apache.arrow.format;
  requires transitive org.apache.arrow.memory.core;
  requires transitive org.apache.arrow.vector;
  requires static transitive org.apiguardian.api;
  requires static transitive org.jspecify;

  exports org.pecf.api;
  exports org.pecf.api.compute;
  exports org.pecf.api.data;
  exports org.pecf.api.ensemble;
  exports org.pecf.api.evaluate;
  exports org.pecf.api.field;
  exports org.pecf.api.filter;
  exports org.pecf.api.memory;
  exports org.pecf.api.plugin;
  exports org.pecf.api.run;
  exports org.pecf.api.support;
}
